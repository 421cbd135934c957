/**
 * A `SqlClient` on Postgres embedded in the process: PGlite in a worker thread.
 *
 * Rows, errors and transactions are those of @effect/sql-pg, so the stores do not know the difference. What differs
 * stays here: there is one session, so queries and transactions take turns, and a query cannot be stopped, so its caller
 * is answered at the deadline with an error that may pass.
 *
 * @since 0.1.0
 */
import { Context, Duration, Effect, Layer, type Queue, Schema, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import * as Client from "effect/sql/SqlClient"
import type { Borrower } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { DataDirectory, type DataDirectoryInUse, type DataDirectoryUnusable } from "./DataDirectory.ts"
import { postgresMajor } from "./internal/dataFormat.ts"
import { checkChannel, listenIn, makeNotifications, type Notification } from "./internal/Notifications.ts"
import type { Patience } from "./internal/Session.ts"
import { keepSession } from "./internal/SessionKeeper.ts"
import type { OpenDatabase } from "./internal/SessionMessages.ts"
import { commit, currentPatience, makeConnection, type PgliteConnection } from "./internal/sqlConnection.ts"
import { makeTurns } from "./internal/Turns.ts"
import { keepUp } from "./internal/upkeep.ts"
import { QueryPriority } from "./Queries.ts"

/** @since 0.1.0 @category errors */
export class EmbeddedDatabaseUnopened
  extends Schema.TaggedError<EmbeddedDatabaseUnopened>()("EmbeddedDatabaseUnopened", {
    /** `null` for a database in memory. */
    path: Schema.NullOr(Schema.String),
    problem: Schema.String
  })
{
  override get message(): string {
    const where = this.path === null ? "in memory" : `in ${this.path}`
    return `The embedded database ${where} did not open: ${this.problem}`
  }
}

/** @since 0.1.0 @category options */
export interface QueryOptions {
  /** How long a query may wait for its turn, and again how long it may run, before its caller is answered. 30 seconds. */
  readonly deadline?: Duration.Input
  /** How much longer a query may run before the thread of the database is ended and a new one opened. 30 seconds. */
  readonly lastResort?: Duration.Input
}

/** @since 0.1.0 @category options */
export interface DurabilityOptions {
  /** Whether a commit waits for the disk. Without it, data survives a killed process but not a power failure. */
  readonly fsync?: boolean
}

/** @since 0.1.0 @category services */
export class PgliteClient extends Context.Service<
  PgliteClient,
  SqlClient & {
    /** Not for use inside a transaction: the only session is then taken. */
    listen(channel: string): Effect.Effect<Queue.Dequeue<Notification>, SqlError, Scope.Scope>
    /** Inside a transaction it is heard at its commit. */
    notify(channel: string, payload: string): Effect.Effect<void, SqlError>
  }
>()("@tributary/postgres/pglite/PgliteClient") {}

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape("\""),
  onCustom: () => ["", []],
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning === undefined ? "" : ` RETURNING ${returning[0]}`}`,
    returning === undefined ? values.flat() : values.flat().concat(returning[1])
  ]
})

const make = Effect.fnUntraced(function*(database: OpenDatabase, options: QueryOptions) {
  const patience: Patience = {
    deadline: Duration.toMillis(options.deadline ?? "30 seconds"),
    lastResort: Duration.toMillis(options.lastResort ?? "30 seconds")
  }
  const notifications = makeNotifications()
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const keeper = yield* keepSession(database, {
    onNotification: notifications.publish,
    onOpen: (session) =>
      run(Effect.forEach(notifications.channels(), (channel) => listenIn(session, channel), { discard: true }))
  })
  // The host installs PGlite; one with another Postgres inside would mark directories wrongly.
  const { major } = yield* Effect.mapError(keeper.session, ({ message }) => message)
  if (major !== postgresMajor) {
    return yield* Effect.fail(`this PGlite is PostgreSQL ${major}, and this release works with ${postgresMajor}`)
  }
  const turns = makeTurns(keeper.whenIdle)
  const queue = Effect.map(QueryPriority, turns.queue)

  /** A turn that has come, on the session as it is by then. */
  const connect = Effect.fnUntraced(function*(turn: ReturnType<typeof turns.queue>) {
    const { deadline } = yield* currentPatience(patience)
    yield* turn.wait(deadline)
    return makeConnection(yield* keeper.session, patience)
  })

  const lease = Effect.uninterruptibleMask((restore) =>
    Effect.acquireRelease(queue, (turn) => Effect.sync(turn.end)).pipe(
      Effect.flatMap((turn) => restore(connect(turn)))
    )
  )
  const borrow: Borrower = (use) =>
    Effect.acquireUseRelease(
      queue,
      (turn) => Effect.flatMap(connect(turn), use),
      (turn) => Effect.sync(turn.end)
    )

  const client = yield* Client.make({
    driver: "pglite",
    acquirer: lease,
    transactionAcquirer: lease,
    borrower: borrow,
    compiler,
    commit: (connection) => commit(connection as PgliteConnection),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  yield* Effect.forkScoped(keepUp(client))

  return PgliteClient.of(Object.assign(client, {
    listen: Effect.fnUntraced(function*(channel: string) {
      yield* checkChannel(channel)
      const queue = yield* notifications.subscribe(channel)
      yield* borrow((connection) => listenIn((connection as PgliteConnection).session, channel))
      return queue
    }),
    notify: (channel: string, payload: string) =>
      Effect.andThen(checkChannel(channel), client`SELECT pg_notify(${channel}, ${payload})`).pipe(Effect.asVoid)
  }))
})

const layerOf = (database: OpenDatabase, path: string | null, options: QueryOptions) =>
  Layer.effectContext(
    Effect.map(make(database, options), (client) => Context.add(Context.make(PgliteClient, client), SqlClient, client))
      .pipe(
        Effect.mapError((problem) => new EmbeddedDatabaseUnopened({ path, problem }))
      )
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * On the data directory that the program holds already, and shares with its control channel and its caches.
 *
 * @since 0.1.0 @category layers
 */
export const layerDirectory = (
  options: QueryOptions & DurabilityOptions = {}
): Layer.Layer<PgliteClient | SqlClient, EmbeddedDatabaseUnopened, DataDirectory> =>
  Layer.unwrap(Effect.map(DataDirectory, ({ path, databasePath, settle }) =>
    Layer.effectDiscard(settle).pipe(
      Layer.provideMerge(layerOf({ path: databasePath, fsync: options.fsync ?? true }, path, options))
    )))

/**
 * In memory: gone with the layer. For tests and demos.
 *
 * @since 0.1.0 @category layers
 */
export const layerMemory = (
  options: QueryOptions = {}
): Layer.Layer<PgliteClient | SqlClient, EmbeddedDatabaseUnopened> =>
  layerOf({ path: null, fsync: false }, null, options)

/**
 * In a directory of its own, or in memory when `dataDir` is `null`.
 *
 * @since 0.1.0 @category layers
 */
export const layer = (
  { dataDir, ...options }: QueryOptions & DurabilityOptions & { readonly dataDir: string | null }
): Layer.Layer<
  PgliteClient | SqlClient,
  EmbeddedDatabaseUnopened | DataDirectoryInUse | DataDirectoryUnusable
> => dataDir === null ? layerMemory(options) : Layer.provide(layerDirectory(options), DataDirectory.layer(dataDir))
