/** What was done in an account, for its owners to read. Entries are kept for a year. */
import { Context, Effect, Layer } from "effect"
import { paged } from "../internal/paged.ts"
import type { AuditEntry } from "../model/AuditEntry.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { AuditEntryId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { AuditStore } from "../ports/AuditStore.ts"

/** The network address of the one who asks, for the entries that this leaves; null where there is no network. */
export const Origin = Context.Reference<string | null>("@tributary/core/Origin", { defaultValue: () => null })

const cursor = cursorOf("audit log", AuditEntryId)

export class AuditLog extends Context.Service<AuditLog, {
  /** Newest first: what concerns a shared workspace; of the personal one, all that concerns the account. */
  list(workspace: WorkspaceRecord, page: PageRequest): Effect.Effect<
    Page<AuditEntry>,
    InvalidCursor | StorageUnavailable
  >
}>()("@tributary/core/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.map(AuditStore, (store) => ({
      list: Effect.fn("AuditLog.list")(({ account_id, kind, workspace_id }: WorkspaceRecord, page: PageRequest) =>
        paged(
          cursor,
          page,
          (entry: AuditEntry) => entry.entry_id,
          (after, limit) =>
            store.list(account_id, { workspaceId: kind === "personal" ? null : workspace_id, after, limit })
        )
      )
    }))
  )
}
