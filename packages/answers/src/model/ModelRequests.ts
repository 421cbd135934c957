/** Requests to one language model: bounded in time and number, and none for a while after it failed. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import { checkNumbers, numberFrom, wholeNumber } from "@tributary/core/model/NumberRule"
import { Cause, Clock, Duration, Effect, Exit, Option, Queue, RcMap, Semaphore, Stream } from "effect"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { counted, fromAiError, fromFinish, isOfReply, isOfServer, ModelFailure } from "./ModelFailure.ts"

export interface Options {
  /** Milliseconds without a word or a sign of life after which the model counts as silent. */
  readonly timeout?: number | undefined
  /** Milliseconds for which a model that failed is left alone, 15,000 by default. */
  readonly rest?: number | undefined
  /** Requests at the same time: 4 of one workspace and 16 of all by default. */
  readonly concurrency?: { readonly workspace?: number; readonly process?: number } | undefined
}

/** What the numbers of the options have to be. */
export const RULES = { timeout: numberFrom(100, 600_000), rest: numberFrom(1, 3_600_000) }
export const CONCURRENCY_RULES = { workspace: wholeNumber(1, 1_000), process: wholeNumber(1, 1_000) }

/** A reply that does not end is cut off after this many timeouts. */
const MAX_TIMEOUTS = 2

/** Characters, or parts without any. */
const MAX_REPLY_LENGTH = 200_000

/** The shortest wait for an overloaded server, whatever its `Retry-After`. */
const PAUSE = 1_000

/** The parts of a reply, read in pieces. */
interface Reader<A> {
  push(piece: string): ReadonlyArray<A>
  /** Whether the complete reply has the expected form. */
  isReadable(): boolean
}

export const make = Effect.fnUntraced(function*(
  { concurrency = {}, rest = 15_000, timeout = 60_000 }: Options
) {
  checkNumbers(RULES, { rest, timeout })
  checkNumbers(CONCURRENCY_RULES, concurrency, "concurrency.")
  const model = yield* LanguageModel.LanguageModel
  const breaker = yield* CircuitBreaker.make({ tripPolicy: CircuitBreaker.consecutive(1), openDuration: rest }).pipe(
    Effect.provide(CircuitBreaker.layerStoreMemory())
  )
  const all = yield* Semaphore.make(concurrency.process ?? 16)
  const perWorkspace = yield* RcMap.make<WorkspaceId, Semaphore.Semaphore, never, never>({
    lookup: () => Semaphore.make(concurrency.workspace ?? 4)
  })

  /** A host's own model may throw. What its error says may repeat the prompt. */
  const defective = (defect: unknown) =>
    Stream.unwrap(Effect.as(
      Effect.annotateLogs(Effect.logError("the language model throws"), {
        error: defect instanceof Error ? defect.name : typeof defect
      }),
      Stream.fail(new ModelFailure({ reason: "failed" }))
    ))

  const failWith = (reason: ModelFailure["reason"]) => Effect.fail(new ModelFailure({ reason }))

  /** Retries an overloaded server after its `Retry-After`, if that is before the deadline. */
  const attempt = (
    prompt: ReadonlyArray<Prompt.MessageEncoded>,
    deadline: number,
    hasBegun: () => boolean
  ): Stream.Stream<Response.AnyPart, ModelFailure> => {
    const retry = (error: AiError.AiError) =>
      Effect.gen(function*() {
        if (hasBegun() || error.reason._tag !== "RateLimitError") return yield* fromAiError(error)
        const now = yield* Clock.currentTimeMillis
        const pause = Math.max(PAUSE, Duration.toMillis(error.retryAfter ?? 0))
        if (now + pause >= deadline) return yield* new ModelFailure({ reason: "overloaded", retryAfter: pause })
        yield* Effect.sleep(pause)
        return attempt(prompt, deadline, hasBegun)
      })
    return Stream.suspend(() => model.streamText({ prompt })).pipe(
      Stream.catchTag("AiError", (error) => Stream.unwrap(retry(error))),
      Stream.catchDefect(defective)
    )
  }

  /** Once a failure counts, requests with this key fail for a while. */
  const resting =
    (key: string, counts: (failure: ModelFailure) => boolean) => (run: Effect.Effect<void, ModelFailure>) =>
      breaker.execute(run, {
        key,
        classify: (exit) => {
          if (Exit.isSuccess(exit)) return CircuitBreaker.success
          const failure = Cause.findErrorOption(exit.cause)
          if (Option.isNone(failure)) return CircuitBreaker.failure()
          return counts(failure.value) ? counted(failure.value) : CircuitBreaker.ignored
        }
      }).pipe(Effect.catchTag("CircuitBreakerError", () => failWith("resting")))

  const withPermits = (workspaceId: WorkspaceId) => <A>(request: Effect.Effect<A, ModelFailure>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(perWorkspace, workspaceId), (permits) => permits.withPermit(all.withPermit(request)))
    )

  /** Interrupting the stream aborts the request. */
  const stream = <A>(
    workspaceId: WorkspaceId,
    prompt: ReadonlyArray<Prompt.MessageEncoded>,
    reader: Reader<A>
  ): Stream.Stream<A, ModelFailure> =>
    Stream.callback<A, ModelFailure>((queue) =>
      Effect.gen(function*() {
        const begun = yield* Clock.currentTimeMillis
        let isAdmitted = false
        let length = 0
        const hasBegun = () => length > 0
        const run = attempt(prompt, begun + timeout, hasBegun).pipe(
          Stream.timeoutOrElse({
            duration: timeout,
            orElse: () => Stream.fail(new ModelFailure({ reason: "silent" }))
          }),
          Stream.runForEach((part) => {
            // A part without text says that the model is at work, metadata only that its server is.
            const piece = part.type === "text-delta" ? part.delta : ""
            if (part.type !== "response-metadata") length += Math.max(1, piece.length)
            const ending = part.type === "finish" ? fromFinish(part.reason) : null
            if (ending !== null) return Effect.fail(ending)
            return length > MAX_REPLY_LENGTH ? failWith("unreadable") : Queue.offerAll(queue, reader.push(piece))
          }),
          Effect.andThen(Effect.suspend(() => reader.isReadable() ? Effect.void : failWith("unreadable"))),
          Effect.timeoutOrElse({ duration: timeout * MAX_TIMEOUTS, orElse: () => failWith("endless") })
        )
        const guarded = run.pipe(
          resting("server", (failure) => isOfServer(failure, hasBegun())),
          resting(workspaceId, (failure) => isOfReply(failure, hasBegun()))
        )
        const admitted = Effect.suspend(() => {
          isAdmitted = true
          return guarded
        }).pipe(withPermits(workspaceId))
        // Waiting for a permit has the same timeout as the model.
        const wait = Effect.sleep(timeout).pipe(
          Effect.andThen(Effect.suspend(() => isAdmitted ? Effect.never : failWith("busy")))
        )
        yield* Effect.raceFirst(admitted, wait)
        yield* Queue.end(queue)
      }).pipe(Effect.catch((failure) => Queue.fail(queue, failure)))
    )

  return { stream }
})

export type ModelRequests = Effect.Success<ReturnType<typeof make>>
