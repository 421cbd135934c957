/** What was done in an account, for its owners to read. Entries are kept for a year. */
import { Context, Effect, Layer } from "effect"
import { paged } from "../internal/paged.ts"
import { auditing } from "./auditing.ts"
import type { AuditAction, AuditEntry } from "../model/AuditEntry.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { AuditEntryId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { AuditStore } from "../ports/AuditStore.ts"

export { Origin } from "./origin.ts"

const cursor = cursorOf("audit log", AuditEntryId)

export class AuditLog extends Context.Service<AuditLog, {
  /** Writes down what was done in a workspace, after it was done. */
  note(
    action: AuditAction,
    actor: Principal,
    workspace: WorkspaceRecord,
    subject: string,
    details: Readonly<Record<string, string | number | boolean | null>>
  ): Effect.Effect<void, StorageUnavailable>
  /** Newest first: what concerns a shared workspace; of the personal one, all that concerns the account. */
  list(workspace: WorkspaceRecord, page: PageRequest): Effect.Effect<
    Page<AuditEntry>,
    InvalidCursor | StorageUnavailable
  >
}>()("@tributary/core/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.map(Effect.all([AuditStore, auditing]), ([store, note]) => ({
      note,
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
