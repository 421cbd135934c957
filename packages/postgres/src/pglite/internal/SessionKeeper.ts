/**
 * Keeps one session of the embedded database open, and opens the next when one ends.
 *
 * In memory there is no next one: the data went with the thread, and an empty database would look like a sound one.
 */
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { openSession, type Session } from "./Session.ts"
import type { OpenDatabase } from "./SessionMessages.ts"
import { disconnected } from "./sqlErrors.ts"

export interface SessionKeeper {
  /** The open session, or the next one as soon as it is open. */
  readonly session: Effect.Effect<Session, SqlError>
  readonly whenIdle: (then: () => void) => void
}

export interface KeeperEvents {
  readonly onNotification: (channel: string, payload: string) => void
  /** Runs on every session before anybody else uses it. */
  readonly onOpen: (session: Session) => Promise<void>
}

/** Opens the first session. Fails with a sentence when it does not open. */
export const keepSession = (
  database: OpenDatabase,
  events: KeeperEvents
): Effect.Effect<SessionKeeper, string, Scope.Scope> =>
  Effect.gen(function*() {
    let current: Session | undefined
    let opening: Promise<Session> | undefined
    let previousGone: Promise<void> = Promise.resolve()
    let closed: string | undefined

    const open = (): Promise<Session> => {
      if (current !== undefined) return Promise.resolve(current)
      if (closed !== undefined) return Promise.reject(new Error(closed))
      opening ??= previousGone
        .then(() => openSession(database, { onNotification: events.onNotification, onEnd }))
        .then(async (session) => {
          // Half opened, it would still hold the files when the next one opens them.
          await events.onOpen(session).catch((error: unknown) => session.close().then(() => Promise.reject(error)))
          if (session.isOpen()) current = session
          return session
        })
        .finally(() => {
          opening = undefined
        })
      return opening
    }

    const onEnd = (gone: Promise<void>) => {
      current = undefined
      previousGone = gone
      if (database.path === null) closed ??= "the database was in memory, and ended with its thread"
    }

    const close = Effect.promise(async () => {
      closed = "the database is closed"
      const session = current ?? await opening?.catch(() => undefined)
      await session?.close()
    })

    const tryOpen = Effect.tryPromise({
      try: open,
      catch: (error) => error instanceof Error ? error.message : String(error)
    })
    yield* Effect.acquireRelease(tryOpen, () => close)

    const session = Effect.suspend(() =>
      current === undefined ? Effect.mapError(tryOpen, disconnected) : Effect.succeed(current)
    )
    return { session, whenIdle: (then) => current === undefined ? then() : current.whenIdle(then) }
  })
