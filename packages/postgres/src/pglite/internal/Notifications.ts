/** LISTEN on a database that has one session: the channels are listened to again in every next session. */
import { Effect, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Session } from "./Session.ts"
import { misused } from "./sqlErrors.ts"

/** A hint that something happened. What must not be missed belongs into a table. */
export interface Notification {
  readonly channel: string
  readonly payload: string
}

/** What waits beyond this is dropped, oldest first: a hint that nobody takes is old. */
const capacity = 1024

export interface Notifications {
  readonly publish: (channel: string, payload: string) => void
  readonly channels: () => ReadonlyArray<string>
  readonly subscribe: (channel: string) => Effect.Effect<Queue.Dequeue<Notification>, never, Scope.Scope>
}

export const makeNotifications = (): Notifications => {
  const listeners = new Map<string, Set<Queue.Queue<Notification>>>()

  const add = (channel: string, queue: Queue.Queue<Notification>) => {
    const queues = listeners.get(channel) ?? new Set()
    listeners.set(channel, queues.add(queue))
  }
  const remove = (channel: string, queue: Queue.Queue<Notification>) => {
    const queues = listeners.get(channel)
    queues?.delete(queue)
    if (queues?.size === 0) listeners.delete(channel)
  }

  return {
    publish: (channel, payload) => {
      for (const queue of listeners.get(channel) ?? []) Queue.offerUnsafe(queue, { channel, payload })
    },
    channels: () => [...listeners.keys()],
    subscribe: (channel) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<Notification>(capacity), (queue) => Effect.sync(() => add(channel, queue))),
        (queue) => Effect.andThen(Effect.sync(() => remove(channel, queue)), Queue.shutdown(queue))
      )
  }
}

/** Postgres would cut a longer name short without a word. */
export const checkChannel = (channel: string): Effect.Effect<void, SqlError> =>
  Buffer.byteLength(channel) <= 63
    ? Effect.void
    : Effect.fail(misused("PostgreSQL channel names must not exceed 63 UTF-8 bytes", "listen"))

export const listenIn = (session: Session, channel: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(session.query({
    sql: `LISTEN "${channel.replaceAll("\"", "\"\"")}"`,
    params: [],
    shape: "object",
    patience: { deadline: 30_000, lastResort: 30_000 }
  }))
