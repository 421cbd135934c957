/** Counts of requests in SQLite. */
import type { Day } from "@tributary/core/model/ApiKey"
import { type StoredDay, type UsageCount, UsageStore } from "@tributary/core/ports/UsageStore"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Effect, Layer, Struct } from "effect"
import { Database } from "./internal/Database.ts"

/** Days of workspaces. */
const PRUNED_AT_ONCE = 500

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const { readOpen, write } = yield* Database

    return {
      add: (batch) => write("addUsage", batch),

      history: (workspaceId, since) =>
        readOpen(workspaceId, [], (db) => {
          const counts = db.all<UsageCount & { readonly day: Day }>(
            "SELECT day, operation, outcome, bucket, requests FROM usage_counts WHERE workspace_id = ? AND day >= ?",
            workspaceId,
            since
          )
          const byDay = Map.groupBy(counts, ({ day }) => day)
          return db.all<Omit<StoredDay, "counts">>(
            "SELECT day, documents, storage FROM usage_days WHERE workspace_id = ? AND day >= ? ORDER BY day",
            workspaceId,
            since
          ).map((row) => ({ ...row, counts: (byDay.get(row.day) ?? []).map((count) => Struct.omit(count, ["day"])) }))
        }),

      prune: (day) =>
        Effect.andThen(
          write("pruneUsageWriters", day),
          Effect.asVoid(repeatSteps(PRUNED_AT_ONCE, write("pruneUsage", day, PRUNED_AT_ONCE)))
        )
    }
  })
)
