/**
 * Writes down what was done, after it was done: what could not be written down is answered as unavailable, and done
 * again it is written.
 */
import { Clock, Effect } from "effect"
import { Origin } from "./AuditLog.ts"
import type { AuditAction } from "../model/AuditEntry.ts"
import { type AccountId, AuditEntryId, type WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { uuid7 } from "../internal/uuid7.ts"

/** Where it happened: in a workspace of an account, or (null) to the account. */
interface Place {
  readonly account_id: AccountId
  readonly workspace_id: WorkspaceId | null
}

export const auditing = Effect.map(AuditStore, (store) =>
  Effect.fnUntraced(function*(
    action: AuditAction,
    actor: Principal,
    { account_id, workspace_id }: Place,
    subject: string,
    details: Readonly<Record<string, string | number | boolean | null>> = {}
  ) {
    const now = yield* Clock.currentTimeMillis
    yield* store.append({
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
