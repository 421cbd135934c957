/** effect's connection over one session. It stays with that session: a transaction must not go on in the next one. */
import { Duration, Effect, Stream } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { QueryDeadline } from "../Queries.ts"
import { portableParameters } from "./parameters.ts"
import type { Patience, Session } from "./Session.ts"
import type { QueryResult, RowShape } from "./SessionMessages.ts"
import { misused } from "./sqlErrors.ts"

export interface PgliteConnection extends Connection {
  readonly session: Session
  readonly executeRaw: (sql: string, params: ReadonlyArray<unknown>) => Effect.Effect<QueryResult, SqlError>
}

export const currentPatience = (usual: Patience): Effect.Effect<Patience> =>
  Effect.map(
    QueryDeadline,
    (deadline) => deadline === undefined ? usual : { ...usual, deadline: Duration.toMillis(deadline) }
  )

export const makeConnection = (session: Session, usual: Patience): PgliteConnection => {
  const run = (sql: string, values: ReadonlyArray<unknown>, shape: RowShape) =>
    Effect.flatMap(currentPatience(usual), (patience) => {
      try {
        return session.query({ sql, params: portableParameters(values), shape, patience })
      } catch (error) {
        return Effect.fail(misused(`Failed to encode query: ${String(error)}`, "execute"))
      }
    })

  const execute: Connection["execute"] = (sql, values, transformRows) =>
    Effect.map(run(sql, values, "object"), ({ rows }) => transformRows?.(rows as ReadonlyArray<object>) ?? rows)

  const executeValues: Connection["executeValues"] = (sql, values) =>
    Effect.map(run(sql, values, "array"), ({ rows }) => rows as ReadonlyArray<ReadonlyArray<unknown>>)

  return {
    session,
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, values) => run(sql, values, "object"),
    executeValues,
    executeValuesUnprepared: executeValues,
    // The whole result is here before its first row leaves: large reads page by key.
    executeStream: (sql, values, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, values, transformRows), (rows) => Stream.fromIterable(rows)))
  }
}

/** Postgres answers ROLLBACK, and no error, to the COMMIT of an aborted transaction. */
export const commit = (connection: PgliteConnection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), ({ command }) =>
    command === "ROLLBACK"
      ? Effect.fail(misused("COMMIT rolled back an aborted transaction", "commit"))
      : Effect.void)
