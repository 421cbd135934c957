/**
 * Turns an asynchronous generator into a provider's stream.
 *
 * A thrown `SyncFailure` is an expected failure, anything else a defect. The signal aborts when the consumer stops.
 */
import { type SyncFailure } from "@tributary/core/ports/Provider"
import { Effect, Stream } from "effect"
import { isSyncFailure } from "./isSyncFailure.ts"

const orDie = (error: unknown): Effect.Effect<never, SyncFailure> =>
  isSyncFailure(error) ? Effect.fail(error) : Effect.die(error)

export const steps = <A>(run: (signal: AbortSignal) => AsyncGenerator<A>): Stream.Stream<A, SyncFailure> =>
  Stream.unwrap(Effect.map(
    Effect.acquireRelease(Effect.sync(() => new AbortController()), (stop) => Effect.sync(() => stop.abort())),
    ({ signal }) => Stream.fromAsyncIterable(run(signal), (error) => error)
  )).pipe(Stream.catch((error) => Stream.fromEffect(orDie(error))))

export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, SyncFailure> =>
  Effect.flatten(Effect.promise((signal) => run(signal).then((value) => Effect.succeed(value), orDie)))
