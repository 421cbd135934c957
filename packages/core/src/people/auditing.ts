/**
 * Writes down what was done, after it was done: what could not be written down is answered as unavailable, and done
 * again it is written. Where nobody reads an audit log, none is kept.
 */
import { Clock, Effect, Option } from "effect"
import { Origin } from "./origin.ts"
import type { AuditAction } from "../model/AuditEntry.ts"
import { type AccountId, AuditEntryId, type WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { uuid7 } from "../internal/uuid7.ts"

/** Where it happened: in a workspace of an account, or (null) to the account. Without an account, nobody reads it. */
interface Place {
  readonly account_id: AccountId | null
  readonly workspace_id: WorkspaceId | null
}

export const auditing = Effect.map(Effect.serviceOption(AuditStore), (store) =>
  Effect.fnUntraced(function*(
    action: AuditAction,
    actor: Principal,
    { account_id, workspace_id }: Place,
    subject: string,
    details: Readonly<Record<string, string | number | boolean | null>> = {}
  ) {
    if (Option.isNone(store) || account_id === null) return
    const now = yield* Clock.currentTimeMillis
    yield* store.value.append({
      entry_id: AuditEntryId.make(uuid7(now)),
      account_id,
      workspace_id,
      action,
      actor,
      subject,
      details,
      address: yield* Origin,
      created_at: new Date(now)
    })
  }))
