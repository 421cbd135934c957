/** The audit logs of all accounts. */
import { Context, type Effect, Option } from "effect"
import { leastUuid7 } from "../internal/uuid7.ts"
import type { AuditDraft, AuditEntry, AuditRecord } from "../model/AuditEntry.ts"
import type { AccountId, AuditEntryId, WorkspaceId } from "../model/Id.ts"
import { foldAscii } from "../model/folding.ts"
import { completedEntries } from "./completedEntries.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import type { Stored } from "./Storage.ts"

/** Null or empty: not restricted by this. */
export interface AuditSelection {
  /** The action itself, or what precedes its dot. */
  readonly actions: ReadonlyArray<string> | null
  /** The id of the actor. */
  readonly actor: string | null
  readonly subject: string | null
  readonly from: Date | null
  /** Before this moment. */
  readonly to: Date | null
  /** Each must be part of `auditText`. They are folded already. */
  readonly words: ReadonlyArray<string>
}

export const EVERY_ENTRY: AuditSelection = {
  actions: null,
  actor: null,
  subject: null,
  from: null,
  to: null,
  words: []
}

/** The text of an entry that is searched for words. */
export const auditText = ({ action, actor, address, details, subject }: AuditEntry): string =>
  foldAscii([action, actor.id, subject, address ?? "", JSON.stringify(details)].join("\n"))

/** What precedes the dot of an action, or all of an action without one. */
export const actionGroup = (action: string): string => action.split(".", 1)[0]!

/** No entry from this moment or later has a smaller id. */
export const leastEntryId = (from: Date | null): string => leastUuid7(from?.getTime() ?? 0)

/** The entries that belong to the result of a method of a port. */
export const entriesOf = (drafts: ReadonlyArray<AuditDraft>, result: unknown): ReadonlyArray<AuditRecord> =>
  completedEntries(drafts, Option.isOption(result) ? Option.getOrNull(result) : result)

export class AuditStore extends Context.Service<AuditStore, {
  /** Ignores an absent account. */
  append(entry: AuditRecord): Stored<void>
  /**
   * Makes a change, which is one call of a method of this backend's ports, and appends its entries in the same act:
   * both are stored, or neither is. The drafts become entries by `entriesOf`; a change that was not made has none.
   */
  record<A, E>(change: Effect.Effect<A, E>, drafts: ReadonlyArray<AuditDraft>): Effect.Effect<A, E | StorageUnavailable>
  /**
   * By id, descending (so newest first), after the given one: the selected entries of one workspace, or of the whole
   * account (null).
   */
  list(accountId: AccountId, options: {
    readonly workspaceId: WorkspaceId | null
    readonly selection: AuditSelection
    readonly after: AuditEntryId | null
    readonly limit: number
  }): Stored<ReadonlyArray<AuditEntry>>
  /** Deletes entries from before `before`. */
  prune(before: Date): Stored<void>
}>()("@tributary/core/ports/AuditStore") {}
