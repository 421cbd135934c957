/** Audit logs in SQLite. */
import type { AuditEntry } from "@tributary/core/model/AuditEntry"
import { AuditStore, leastEntryId } from "@tributary/core/ports/AuditStore"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Effect, Layer } from "effect"
import { Database, Recording } from "./internal/Database.ts"
import type { AuditColumns } from "./reads/audit.ts"

const toEntry = (row: AuditColumns): AuditEntry => ({
  ...row,
  actor: JSON.parse(row.actor),
  details: JSON.parse(row.details),
  created_at: new Date(row.created_at)
})

const PRUNED_AT_ONCE = 5_000

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const { readLong, write } = yield* Database

    return AuditStore.of({
      append: (entry) => write("appendAudit", entry),

      record: (change, drafts) => Effect.provideService(change, Recording, drafts),

      list: (accountId, options) =>
        Effect.map(
          readLong("listAudit", accountId, leastEntryId(options.selection.from), options),
          (rows) => rows.map(toEntry)
        ),

      prune: (before) => Effect.asVoid(repeatSteps(PRUNED_AT_ONCE, write("pruneAudit", before, PRUNED_AT_ONCE)))
    })
  })
)
