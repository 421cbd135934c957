/** Runs calls of the Effect face as promises: signals interrupt them, and failures are thrown as `TributaryError`s. */
import { checkNumbers } from "@tributary/core/model/NumberRule"
import { type Context, Duration, Effect, Exit, type Redacted } from "effect"
import { noResponse, RequestContext } from "./transport/RequestContext.ts"
import { toTributaryError } from "./failures.ts"
import type { Given } from "./requests/Given.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { Override, overrideFor, TIME_RULES } from "./Policy.ts"
import { TributaryError } from "./TributaryError.ts"

/** The options of every call. */
export interface CallOptions {
  /** Ends the call at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that the call may take with all its attempts and waits. */
  readonly timeout?: number | undefined
}

export const CALL: Names<CallOptions> = { signal: true, timeout: true }

/** Runs an operation of the Effect client as a promise. */
export type Call<R> = <A, E>(effect: Effect.Effect<A, E, R>, options?: CallOptions) => Promise<A>

/** Calls with a key, over the services of a client. */
export const calling = <R>(
  context: Context.Context<R>,
  apiKey: Redacted.Redacted
): Call<R> =>
async (effect, options = {}) => {
  checkNames(CALL, options)
  const { signal, timeout } = options
  signal?.throwIfAborted()
  const lastResponse = noResponse()
  const call = effect.pipe(
    Effect.provideService(RequestContext, { apiKey, headers: {}, lastResponse }),
    Effect.provideService(Override, overrideFor(timeout))
  )
  const exit = await Effect.runPromiseExitWith(context)(call, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  signal?.throwIfAborted()
  throw toTributaryError(exit.cause, lastResponse)
}

/** Bounds what consists of many calls. */
export const withTimeout = <A, E, R>(effect: Effect.Effect<A, E, R>, timeout: number) => {
  checkNumbers(TIME_RULES, { timeout })
  return Effect.timeoutOrElse(effect, {
    duration: Duration.millis(timeout),
    orElse: () =>
      Effect.fail(
        new TributaryError({ code: "timeout", message: `Not finished within ${timeout} ms.` })
      )
  })
}

/** Not of a class, in whichever realm it was made. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Deeper data is refused. */
const MAX_DEPTH = 200

/** Fields that a caller left undefined are absent, as in any JSON. */
export const omitUndefined = <A>(value: Given<NoInfer<A>>): A => defined(value, 0) as A

const defined = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item: unknown) => defined(item, depth + 1))
  if (!isPlain(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, defined(field, depth + 1)]))
}
