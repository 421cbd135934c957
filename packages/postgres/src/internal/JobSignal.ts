/**
 * Notifies waiters that a job may have become ready, or ended.
 *
 * A client that can listen receives notifications of every node; it uses one of its connections for that. Otherwise
 * only changes by this process are notified. Either is a hint: waiters poll as well.
 */
import { ChangeSignal } from "@tributary/core/ports/ChangeSignal"
import { Context, Effect, Latch, Layer, Predicate, Queue, Schedule, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Database } from "./Database.ts"

/** The methods of `PgClient` of @effect/sql-pg beyond those of a `SqlClient`. */
interface Listening {
  listen(channel: string): Effect.Effect<Queue.Dequeue<unknown, SqlError.SqlError>, SqlError.SqlError, Scope.Scope>
}

const isSet = (client: object, setting: string, value: unknown): boolean =>
  Predicate.hasProperty(client, "config") && Predicate.hasProperty(client.config, setting) &&
  client.config[setting] === value

/** A pool of one connection has none to spare. A client that may not prepare is behind a pooler, which supports neither. */
const canListen = (client: object): client is Listening =>
  Predicate.hasProperty(client, "listen") && typeof client.listen === "function" &&
  !isSet(client, "maxConnections", 1) && !isSet(client, "prepare", false)

export class JobSignal extends Context.Service<JobSignal, {
  readonly changed: Effect.Effect<void>
  /** After `act`, which may have queued or ended a job here. */
  announcing<A, E>(act: Effect.Effect<A, E>): Effect.Effect<A, E>
}>()("@tributary/postgres/JobSignal") {
  static readonly layer = Layer.effect(
    JobSignal,
    Effect.gen(function*() {
      const { schema } = yield* Database
      const client = yield* SqlClient.SqlClient
      const { announce, changed } = new ChangeSignal()

      if (canListen(client)) {
        const listens = yield* Latch.make()
        yield* Effect.gen(function*() {
          const heard = yield* client.listen(schema)
          yield* listens.open
          // Earlier notifications are lost.
          yield* announce
          return yield* Effect.forever(Effect.andThen(Queue.take(heard), announce))
        }).pipe(
          Effect.scoped,
          Effect.tapError(({ message }) =>
            Effect.annotateLogs(Effect.logWarning("listening for jobs was interrupted"), { reason: message })
          ),
          Effect.retry(Schedule.spaced("1 second")),
          Effect.forkScoped
        )
        yield* listens.await
      }

      return JobSignal.of({
        changed,
        announcing: (act) => canListen(client) ? act : Effect.tap(act, () => client.afterCommit(announce))
      })
    })
  )
}
