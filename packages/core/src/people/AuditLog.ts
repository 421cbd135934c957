/** The audit log of an account. Entries are kept for a year. */
import { Context, Effect, Layer } from "effect"
import { matching } from "./auditFilter.ts"
import { auditing } from "./auditing.ts"
import type { AuditAction, AuditEntry, AuditFilter } from "../model/AuditEntry.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import { AuditEntryId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { AuditStore } from "../ports/AuditStore.ts"

export { Origin } from "./origin.ts"

const cursor = cursorOf("audit log", AuditEntryId)

/** Entries that are read at a time, and those that one page looks through: what is sought may be rare in a long log. */
const AT_ONCE = 500
const AT_MOST = 20_000

export class AuditLog extends Context.Service<AuditLog, {
  /** Records an action in a workspace, after it happened. */
  note(
    action: AuditAction,
    actor: Principal,
    workspace: WorkspaceRecord,
    subject: string,
    details: Readonly<Record<string, string | number | boolean | null>>
  ): Effect.Effect<void, StorageUnavailable>
  /**
   * Newest first: the entries of a shared workspace, or, for the personal one, of the whole account. If few entries
   * match, a page may have fewer than its limit, or none, and still be followed by another.
   */
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
        { cursor: text, limit }: PageRequest
      ) {
        const matches = matching(filter)
        const workspaceId = kind === "personal" ? null : workspace_id
        const items: Array<AuditEntry> = []
        let after = yield* cursor.decode(text)
        for (let read = 0; read < AT_MOST; read += AT_ONCE) {
          const entries = yield* store.list(account_id, { workspaceId, after, limit: AT_ONCE })
          for (const [index, entry] of entries.entries()) {
            after = entry.entry_id
            if (filter.from !== undefined && entry.created_at < filter.from) return { items, next: null }
            if (!matches(entry) || items.push(entry) < limit) continue
            const isLast = index === entries.length - 1 && entries.length < AT_ONCE
            return { items, next: isLast ? null : cursor.encode(after) }
          }
          if (entries.length < AT_ONCE) return { items, next: null }
        }
        return { items, next: after === null ? null : cursor.encode(after) }
      })
    }))
  )
}
