/** Counts of requests in memory. */
import { type UsageCount, UsageStore } from "@tributary/core/ports/UsageStore"
import { Effect, Layer } from "effect"
import { copied } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

const keyOf = ({ bucket, operation, outcome }: UsageCount): string => JSON.stringify([operation, outcome, bucket])

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const { usageWriters, workspaces } = yield* State

    return {
      add: ({ day, number, usage, writer }) =>
        Effect.sync(() => {
          if (number <= (usageWriters.get(writer)?.number ?? 0)) return
          usageWriters.set(writer, { number, day })
          for (const { counts, workspace_id } of usage) {
            const workspace = workspaces.get(workspace_id)
            if (workspace === undefined) continue
            const known = new Map(workspace.usage.get(day)?.counts)
            for (const count of counts) {
              const key = keyOf(count)
              known.set(key, { ...count, requests: count.requests + (known.get(key)?.requests ?? 0) })
            }
            workspace.usage.set(day, { ...workspace.documents.meters, counts: known })
          }
        }),

      history: (workspaceId, since) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.usage ?? []].filter(([day]) => day >= since)
            .sort(([one], [other]) => one < other ? -1 : 1)
            .map(([day, { counts, ...size }]) => ({ day, ...size, counts: copied([...counts.values()]) }))
        ),

      prune: (before) =>
        Effect.sync(() => {
          for (const [writer, { day }] of usageWriters) if (day < before) usageWriters.delete(writer)
          for (const { usage } of workspaces.values()) {
            for (const day of usage.keys()) if (day < before) usage.delete(day)
          }
        })
    }
  })
)
