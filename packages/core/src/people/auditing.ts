/**
 * Records what is done in the audit log: a change in the same act as it is made, so that neither is stored without the
 * other. Without an audit log, only the change is made.
 */
import { Clock, Effect, Option } from "effect"
import { ClientAddress } from "./clientAddress.ts"
import type { AuditAction, AuditDraft } from "../model/AuditEntry.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import type { AccountId, AuditEntryId, WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { AuditStore, entriesOf } from "../ports/AuditStore.ts"
import { uuid7 } from "../internal/uuid7.ts"

/** What is known before: `completedEntries` adds what only the result of the change shows. */
export interface Note {
  readonly action: AuditAction
  readonly by: Principal
  /** A workspace of an account, or the account itself (null). */
  readonly in: { readonly account_id: AccountId | null; readonly workspace_id: WorkspaceId | null }
  readonly subject: string
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

const draftsOf = (notes: ReadonlyArray<Note>): Effect.Effect<ReadonlyArray<AuditDraft>> =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) =>
      Effect.map(ClientAddress, (address) =>
        notes.map(({ action, by, details = {}, in: { account_id, workspace_id }, subject }) => ({
          entry_id: uuid7<AuditEntryId>(now),
          account_id,
          workspace_id,
          action,
          actor: by,
          subject,
          details,
          address,
          created_at: new Date(now)
        })))
  )

/** The result of one call of a port, recorded with it. */
export const auditing = Effect.map(
  Effect.serviceOption(AuditStore),
  (store) =>
  <A, E>(change: Effect.Effect<A, E>, ...notes: ReadonlyArray<Note>): Effect.Effect<A, E | StorageUnavailable> =>
    Option.isNone(store)
      ? change
      : Effect.flatMap(draftsOf(notes), (drafts) => store.value.record(change, drafts))
)

/** What changes nothing: an attempt that failed, or an export. */
export const noting = Effect.map(
  Effect.serviceOption(AuditStore),
  (store) =>
    Effect.fnUntraced(function*(note: Note) {
      if (Option.isNone(store)) return
      for (const entry of entriesOf(yield* draftsOf([note]), true)) yield* store.value.append(entry)
    })
)
