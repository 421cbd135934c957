/** The audit log of an account. Entries are kept for a year. */
import { Context, Effect, Layer } from "effect"
import { selectionOf } from "./auditFilter.ts"
import { auditing } from "./auditing.ts"
import { paged } from "../internal/paged.ts"
import type { AuditAction, AuditEntry, AuditFilter } from "../model/AuditEntry.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { AuditEntryId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { AuditStore } from "../ports/AuditStore.ts"

export { ClientAddress, networkOf } from "./clientAddress.ts"

const cursor = cursorOf("audit log", AuditEntryId)

export class AuditLog extends Context.Service<AuditLog, {
  /** Records an action in a workspace, after it happened. */
  note(
    action: AuditAction,
    actor: Principal,
    workspace: WorkspaceRecord,
    subject: string,
    details: Readonly<Record<string, string | number | boolean | null>>
  ): Effect.Effect<void, StorageUnavailable>
  /** Newest first: the entries of a shared workspace, or, for the personal one, of the whole account. */
  list(workspace: WorkspaceRecord, filter: AuditFilter, page: PageRequest): Effect.Effect<
    Page<AuditEntry>,
    InvalidCursor | StorageUnavailable
  >
}>()("@tributary/core/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.map(Effect.all([AuditStore, auditing]), ([store, note]) => ({
      note,
      list: Effect.fn("AuditLog.list")(function*(
        { account_id, kind, workspace_id }: WorkspaceRecord,
        filter: AuditFilter,
        page: PageRequest
      ) {
        const place = { workspaceId: kind === "personal" ? null : workspace_id, selection: selectionOf(filter) }
        return yield* paged(
          cursor,
          page,
          ({ entry_id }: AuditEntry) => entry_id,
          (after, limit) => store.list(account_id, { ...place, after, limit })
        )
      })
    }))
  )
}
