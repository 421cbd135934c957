/** Errors between a command and the service as messages for the user. */
import { ConnectionError, PermissionError, RateLimitError, TributaryError } from "@tributary/client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { UsageError } from "../UsageError.ts"

/** The system's error code, such as ECONNREFUSED. */
export const codeOf = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause)
}

const sentenceOf = (target: string, error: TributaryError): string => {
  if (error instanceof ConnectionError) {
    const code = codeOf(error.cause)
    if (error.code === "timeout") return `${target} did not answer in time.`
    return `${target} does not answer${code === null ? "" : ` (${code})`}. Does it run?`
  }
  if (error instanceof RateLimitError) return error.message
  if (error instanceof PermissionError && error.missingScopes.length > 0) {
    return `${target} refused (${error.code}): this key lacks the scope ${error.missingScopes.join(" or ")}.`
  }
  return error.status === null ? `${target}: ${error.message}` : `${target} refused (${error.code}): ${error.message}`
}

/** Throws what is no response of the service, which then is a defect. */
const expected = (target: string, error: unknown): UsageError => {
  if (error instanceof UsageError) return error
  if (error instanceof TributaryError) {
    return new UsageError({ message: sentenceOf(target, error), exitCode: 1, isTransient: error.retryable })
  }
  throw error
}

/** Sends a request and waits for its response; the signal aborts it. */
export const asking = <A>(target: string, ask: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: ask, catch: (error) => expected(target, error) })

/** The entries of a list of the client. */
export const listing = <A>(target: string, list: AsyncIterable<A>) =>
  Stream.fromAsyncIterable(list, (error) => expected(target, error))
