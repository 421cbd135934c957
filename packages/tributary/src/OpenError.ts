import { TributaryError } from "@tributary/client/TributaryError"
import { isSqlError } from "effect/sql/SqlError"

/** The innermost words say most. */
const wordsOf = (error: Error): string => error.cause instanceof Error ? wordsOf(error.cause) : error.message

/** The knowledge base, or a handler of it, cannot be opened. The message says why, and `cause` is the error behind it. */
export class OpenError extends TributaryError {
  override readonly name = "OpenError"
  constructor(message: string, cause: unknown) {
    super({ code: "cannot_open", message, cause })
  }
}

export const toOpenError = (error: unknown): OpenError =>
  error instanceof OpenError
    ? error
    : new OpenError(
      isSqlError(error)
        ? `The database cannot be used: ${wordsOf(error)}`
        : error instanceof Error
        ? error.message
        : String(error),
      error
    )
