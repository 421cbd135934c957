/** Failures of the embedded database as effect's reasons, by the same SQLSTATEs as @effect/sql-pg tells them by. */
import {
  AuthenticationError,
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  type SqlErrorReason,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import type { QueryFailure } from "./SessionMessages.ts"

const fields = (message: string, operation: string, cause: unknown = new Error(message)) => ({
  message: `PgliteClient: ${message}`,
  operation,
  cause
})

const reason = (failure: QueryFailure, operation: string): SqlErrorReason => {
  const { code = "", constraint } = failure
  const props = fields(failure.message, operation, Object.assign(new Error(failure.message), failure))
  if (code === "23505") return new UniqueViolation({ ...props, constraint: constraint?.trim() || "unknown" })
  if (code === "42501") return new AuthorizationError(props)
  if (code === "40P01") return new DeadlockError(props)
  if (code === "40001") return new SerializationError(props)
  if (code === "55P03") return new LockTimeoutError(props)
  if (code === "57014") return new StatementTimeoutError(props)
  switch (code.slice(0, 2)) {
    case "08":
      return new ConnectionError(props)
    case "23":
      return new ConstraintError(props)
    case "28":
      return new AuthenticationError(props)
    case "42":
      return new SqlSyntaxError(props)
    default:
      return new UnknownError(props)
  }
}

/** The database refused a query. */
export const refused = (failure: QueryFailure): SqlError => new SqlError({ reason: reason(failure, "execute") })

/** There is no session, or no longer. May pass: the next one opens by itself. */
export const disconnected = (message: string): SqlError =>
  new SqlError({ reason: new ConnectionError(fields(message, "connect")) })

/** The session was busy with others for too long. May pass. */
export const noTurn = (milliseconds: number): SqlError =>
  new SqlError({ reason: new LockTimeoutError(fields(`no turn within ${milliseconds} ms`, "acquire")) })

/** The query itself took too long. */
export const overdue = (milliseconds: number): SqlError =>
  new SqlError({ reason: new StatementTimeoutError(fields(`no answer within ${milliseconds} ms`, "execute")) })

/** A mistake of the caller, which no retry mends. */
export const misused = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new UnknownError(fields(message, operation)) })
