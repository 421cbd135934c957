/** Audit logs in memory. */
import type { AuditDraft, AuditEntry, AuditRecord } from "@tributary/core/model/AuditEntry"
import { actionGroup, type AuditSelection, AuditStore, auditText, entriesOf } from "@tributary/core/ports/AuditStore"
import { Effect, Layer, Struct } from "effect"
import { copied } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

const toEntry = (entry: AuditRecord): AuditEntry => copied(Struct.omit(entry, ["account_id"]))

const selects = ({ actions, actor, from, subject, to, words }: AuditSelection) => (entry: AuditEntry): boolean =>
  (actions === null || actions.includes(entry.action) || actions.includes(actionGroup(entry.action))) &&
  (actor === null || entry.actor.id === actor) &&
  (subject === null || entry.subject === subject) &&
  (from === null || entry.created_at >= from) &&
  (to === null || entry.created_at < to) &&
  words.every((word) => auditText(entry).includes(word))

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const { accounts, people: { audit } } = yield* State

    const isTaken = ({ entry_id }: AuditDraft): boolean =>
      audit.descending(1, (entry) => entry.entry_id > entry_id)[0]?.entry_id === entry_id

    const append = (entry: AuditRecord): void => {
      if (accounts.has(entry.account_id)) audit.add(copied(entry))
    }

    return AuditStore.of({
      append: (entry) => Effect.sync(() => append(entry)),

      record: (change, drafts) =>
        drafts.some(isTaken)
          ? Effect.die(new Error("An entry has this id."))
          : Effect.uninterruptible(Effect.map(change, (result) => {
            entriesOf(drafts, result).forEach(append)
            return result
          })),

      list: (accountId, { after, limit, selection, workspaceId }) =>
        Effect.sync(() => {
          const isSelected = selects(selection)
          return audit.descending(
            limit,
            ({ entry_id }) => after !== null && entry_id >= after,
            (entry) =>
              entry.account_id === accountId && (workspaceId === null || entry.workspace_id === workspaceId) &&
              isSelected(entry)
          ).map(toEntry)
        }),

      prune: (before) =>
        Effect.sync(() => {
          for (const entry of audit.where(({ created_at }) => created_at < before)) {
            audit.remove(entry)
          }
        })
    })
  })
)
