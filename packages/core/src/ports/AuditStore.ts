/** The audit logs of all accounts. */
import { Context } from "effect"
import type { AuditEntry, AuditRecord } from "../model/AuditEntry.ts"
import type { AccountId, AuditEntryId, WorkspaceId } from "../model/Id.ts"
import type { Stored } from "./Storage.ts"

export class AuditStore extends Context.Service<AuditStore, {
  /** Ignores an absent account. */
  append(entry: AuditRecord): Stored<void>
  /** By id, descending (so newest first), after the given one; of one workspace, or of the whole account (null). */
  list(accountId: AccountId, options: {
    readonly workspaceId: WorkspaceId | null
    readonly after: AuditEntryId | null
    readonly limit: number
  }): Stored<ReadonlyArray<AuditEntry>>
  /** Deletes entries from before `before`. */
  prune(before: Date): Stored<void>
}>()("@tributary/core/ports/AuditStore") {}
