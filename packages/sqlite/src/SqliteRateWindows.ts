/** Fixed windows of requests in SQLite. */
import { emptyWindow, RateWindows } from "@tributary/core/ports/RateWindows"
import { Clock, Effect, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { peek } from "./writes/rateWindows.ts"

export const layer = Layer.effect(
  RateWindows,
  Effect.gen(function*() {
    const { read, write } = yield* Database

    return RateWindows.of({
      take: (workspaceId, name, limit) =>
        Effect.map(
          Effect.flatMap(Clock.currentTimeMillis, (millis) => write("take", workspaceId, name, limit, millis)),
          (taken) => taken ?? emptyWindow(limit)
        ),
      peek: (workspaceId, name, limit) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (millis) => read((db) => ({ ...peek(db, workspaceId, name, limit, millis) }))
        )
    })
  })
)
