/** The servers of a history, which stop as a suspended machine does, and continue. */
import { Effect, type Latch } from "effect"

interface Stoppable {
  /** Each of its calls waits for it. */
  readonly awake: Latch.Latch
}

/** Two servers, and what happens to them. */
export const stoppableServers = Effect.fnUntraced(function*<Server extends Stoppable, E, R>(
  startServer: Effect.Effect<Server, E, R>
) {
  const running = [yield* startServer, yield* startServer]
  const stopped: Array<Server> = []
  const start = Effect.tap(startServer, (server) => Effect.sync(() => running.push(server)))
  return {
    running,
    start,
    /** The oldest one stops, and another one starts. */
    stop: Effect.suspend(() => {
      const [server] = running.splice(0, 1)
      stopped.push(server!)
      server!.awake.closeUnsafe()
      return start
    }),
    /** The one that was stopped first continues. */
    wake: Effect.suspend(() => {
      const server = stopped.shift()
      if (server === undefined) return Effect.void
      running.unshift(server)
      return server.awake.open
    }),
    wakeAll: Effect.suspend(() => {
      running.push(...stopped)
      return Effect.forEach(stopped.splice(0), ({ awake }) => awake.open, { discard: true })
    })
  }
})
