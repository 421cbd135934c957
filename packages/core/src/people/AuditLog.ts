/** The audit log of an account. Entries are kept for a year. */
import { Context, Effect, Layer } from "effect"
import { selectionOf } from "./auditFilter.ts"
import { noting } from "./auditing.ts"
import { paged } from "../internal/paged.ts"
import type { AuditEntry, AuditFilter } from "../model/AuditEntry.ts"
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
  /** Newest first: the entries of a shared workspace, or, for the personal one, of the whole account. */
  list(workspace: WorkspaceRecord, filter: AuditFilter, page: PageRequest): Effect.Effect<
    Page<AuditEntry>,
    InvalidCursor | StorageUnavailable
  >
  /** The same, of which the first page records that `by` exports what the filter lets through. */
  export(workspace: WorkspaceRecord, filter: AuditFilter, page: PageRequest, by: Principal): Effect.Effect<
    Page<AuditEntry>,
    InvalidCursor | StorageUnavailable
  >
}>()("@tributary/core/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function*() {
      const store = yield* AuditStore
      const note = yield* noting

      const list = Effect.fn("AuditLog.list")(function*(
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

      return AuditLog.of({
        list,
        export: Effect.fn("AuditLog.export")(
          function*(workspace: WorkspaceRecord, filter: AuditFilter, page: PageRequest, by: Principal) {
            if (page.cursor === null) {
              yield* note({
                action: "audit_log.exported",
                by,
                in: workspace,
                subject: workspace.workspace_id,
                details: { filter: JSON.stringify(filter) }
              })
            }
            return yield* list(workspace, filter, page)
          }
        )
      })
    })
  )
}
