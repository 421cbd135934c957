/** Audit logs in memory. */
import type { AuditEntry, AuditRecord } from "@tributary/core/model/AuditEntry"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { Effect, Layer, Struct } from "effect"
import { copied } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

const toEntry = (entry: AuditRecord): AuditEntry => copied(Struct.omit(entry, ["account_id"]))

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const { accounts, people: { audit } } = yield* State

    return AuditStore.of({
      append: (entry) =>
        Effect.sync(() => {
          if (accounts.has(entry.account_id)) audit.add(copied(entry))
        }),

      list: (accountId, { after, limit, workspaceId }) =>
        Effect.sync(() =>
          audit.descending(
            limit,
            ({ entry_id }) => after !== null && entry_id >= after,
            (entry) => entry.account_id === accountId && (workspaceId === null || entry.workspace_id === workspaceId)
          ).map(toEntry)
        ),

      prune: (before) =>
        Effect.sync(() => {
          for (const entry of audit.ascending(Infinity, () => true, ({ created_at }) => created_at < before)) {
            audit.remove(entry)
          }
        })
    })
  })
)
