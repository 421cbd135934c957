/** What went wrong between a command and the service, as one sentence for whoever typed the command. */
import { ConnectionError, RateLimitError, TributaryError } from "@tributary/client"
import * as Effect from "effect/Effect"
import { UsageError } from "../UsageError.ts"

export const failed = (message: string): UsageError => new UsageError({ message, exitCode: 1 })

export const calledWrongly = (message: string): UsageError => new UsageError({ message, exitCode: 2 })

const codeOf = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause)
}

const sentenceOf = (whom: string, error: TributaryError): string => {
  if (error instanceof ConnectionError) {
    const code = codeOf(error.cause)
    if (error.code === "timeout") return `${whom} did not answer in time.`
    return `${whom} does not answer${code === null ? "" : ` (${code})`}. Does it run?`
  }
  if (error instanceof RateLimitError) return `${error.message}`
  return error.status === null ? `${whom}: ${error.message}` : `${whom} refused (${error.code}): ${error.message}`
}

/** Asks the service and waits for its answer. */
export const asking = <A>(whom: string, ask: () => Promise<A>): Effect.Effect<A, UsageError> =>
  Effect.tryPromise({ try: ask, catch: (error) => error }).pipe(
    Effect.catch((error) => {
      if (error instanceof UsageError) return Effect.fail(error)
      return error instanceof TributaryError ? Effect.fail(failed(sentenceOf(whom, error))) : Effect.die(error)
    })
  )
