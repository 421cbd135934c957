/**
 * Records an action after it happened. If it cannot be recorded, the request is answered as unavailable, and repeating
 * it records the action. What cannot be repeated is recorded before it happens, once it is known to be possible:
 * a deletion, because repeating it finds nothing, and a change of roles, because owners may demote themselves. Without
 * an audit log nothing is recorded.
 */
import { Clock, Effect, Option } from "effect"
import { ClientAddress } from "./clientAddress.ts"
import type { AuditAction } from "../model/AuditEntry.ts"
import type { AccountId, AuditEntryId, WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { uuid7 } from "../internal/uuid7.ts"

/** A workspace of an account, or the account itself (null). Without an account, nobody can read the entry. */
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
      entry_id: uuid7<AuditEntryId>(now),
      account_id,
      workspace_id,
      action,
      actor,
      subject,
      details,
      address: yield* ClientAddress,
      created_at: new Date(now)
    })
  }))
