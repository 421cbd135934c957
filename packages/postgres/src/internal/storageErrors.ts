/** Which failures of a database may pass. */
import { StorageUnavailable } from "@tributary/core/model/Error"
import type { Stored } from "@tributary/core/ports/Storage"
import { Effect, Option, Predicate } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { bounded } from "./bounded.ts"

const PASSING: ReadonlySet<string> = new Set([
  "ConnectionError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

// Out of connections, memory or disk; shut down or starting up; failing to read or write.
const PASSING_STATES = /^(?:53|57P|58)/

const sqlState = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

// Nothing is wrong with the statement: its connection was ended or refused, as by a database that is being restored.
const isFatal = (cause: unknown): boolean => Predicate.hasProperty(cause, "severity") && cause.severity === "FATAL"

const mayPass = ({ reason }: SqlError.SqlError): boolean =>
  PASSING.has(reason._tag) || PASSING_STATES.test(sqlState(reason.cause)) || isFatal(reason.cause)

/** A lost connection or a timeout may pass; every other failure is a bug of this package, or of the database's owner. */
export const storageErrors = <A, E, R>(
  query: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, E | StorageUnavailable, R> =>
  query.pipe(Effect.catch((error): Effect.Effect<never, E | StorageUnavailable> => {
    if (!SqlError.isSqlError(error)) return Effect.fail(error)
    return mayPass(error) ? Effect.fail(new StorageUnavailable({ cause: error })) : Effect.die(error)
  }))

/**
 * Runs an effect in a transaction. Where the connection is lost, the transaction cannot be rolled back either, and what
 * the effect failed with comes as a defect: it becomes a failure again.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.suspend(() => {
    let failure = Option.none<E>()
    const noted = Effect.tapError(effect, (error) =>
      Effect.sync(() => {
        failure = Option.some(error)
      }))
    return Effect.catchDefect(
      sql.withTransaction(noted),
      (defect): Effect.Effect<never, E | SqlError.SqlError> => {
        if (Option.isSome(failure)) return Effect.fail(failure.value)
        return SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
      }
    )
  })

/** Several statements as one, which a port may call: in a transaction, and with the failures and the time of one. */
export const transacted = <A, E, R>(
  sql: SqlClient.SqlClient,
  statements: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, E | StorageUnavailable, R> => storageErrors(bounded(inTransaction(sql, statements)))

/** The rows of a statement, as the answer of a port is made from them. */
export const stored = <Row, A>(
  statement: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>,
  answer: (rows: ReadonlyArray<Row>) => A
): Stored<A> => storageErrors(Effect.map(bounded(statement), answer))

/** Runs a statement whose rows nobody needs. */
export const execute = (statement: Effect.Effect<unknown, SqlError.SqlError>): Stored<void> =>
  storageErrors(Effect.asVoid(bounded(statement)))
