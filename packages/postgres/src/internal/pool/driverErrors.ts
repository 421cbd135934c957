/** Converts errors of `pg` into `SqlError`. */
import { Predicate } from "effect"
import { SqlError } from "effect/sql"

type Reason = new(props: { readonly cause: unknown; readonly message: string }) => SqlError.SqlErrorReason

/** By the prefix of the SQLSTATE. */
const REASONS: ReadonlyArray<readonly [string, Reason]> = [
  ["08", SqlError.ConnectionError],
  ["28", SqlError.AuthenticationError],
  ["42501", SqlError.AuthorizationError],
  ["42", SqlError.SqlSyntaxError],
  ["23", SqlError.ConstraintError],
  ["40P01", SqlError.DeadlockError],
  ["40001", SqlError.SerializationError],
  ["55P03", SqlError.LockTimeoutError],
  ["57014", SqlError.StatementTimeoutError]
]

/** Errors of the server have a SQLSTATE; without one, the statement was not sent, or its answer was lost. */
const reasonOf = (cause: Error): Reason => {
  const state = Predicate.hasProperty(cause, "severity") && Predicate.hasProperty(cause, "code")
    ? cause.code
    : undefined
  if (typeof state !== "string") return cause instanceof TypeError ? SqlError.UnknownError : SqlError.ConnectionError
  return REASONS.find(([begin]) => state.startsWith(begin))?.[1] ?? SqlError.UnknownError
}

export const sqlError = (rejected: unknown): SqlError.SqlError => {
  const cause = rejected instanceof Error ? rejected : new Error(String(rejected))
  const Reason = reasonOf(cause)
  return new SqlError.SqlError({ reason: new Reason({ cause, message: cause.message }) })
}

/** Whether the connection is broken; the pool notices a moment later. */
export const endsConnection = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "ConnectionError" ||
  Predicate.hasProperty(reason.cause, "severity") && reason.cause.severity === "FATAL"
