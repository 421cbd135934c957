/** A tiny source whose provider reports changes, and whose resources come and go. */
import { type SyncFailure } from "@tributary/core/ports/Provider"
import { Effect, PubSub, Redacted, Stream } from "effect"
import { type TinyConfig, type TinySource, tinySource } from "./tinySource.ts"

export interface ReportingSource extends TinySource {
  /** Emits a change to the watchers. */
  readonly report: Effect.Effect<void>
  /** Only this resource. */
  readonly reportChangeOf: (resource: string) => Effect.Effect<void>
  /** The first events of a watch. */
  watchFault: Effect.Effect<void, SyncFailure>
  /** The number of watches. */
  watches: number
  /** When each began, in milliseconds, with which password. */
  readonly watchesBegan: Array<{ readonly at: number; readonly password: string }>
}

export const reportingSource = Effect.gen(function*() {
  const changes = yield* PubSub.unbounded<string>()
  const source = tinySource()
  const emitted: ReportingSource = Object.assign(source, {
    report: Effect.asVoid(PubSub.publish(changes, "notes")),
    reportChangeOf: (resource: string) => Effect.asVoid(PubSub.publish(changes, resource)),
    watchFault: Effect.void,
    watches: 0,
    watchesBegan: [],
    provider: {
      ...source.provider,
      resourcesVary: () => true,
      changes: ({ password }: TinyConfig, resources: ReadonlyArray<string>) =>
        Stream.unwrap(Effect.gen(function*() {
          const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          emitted.watchesBegan.push({ at, password: Redacted.value(password) })
          yield* Effect.acquireRelease(
            Effect.sync(() => emitted.watches++),
            () => Effect.sync(() => emitted.watches--)
          )
          yield* emitted.watchFault
          return Stream.concat(Stream.fromIterable(resources), Stream.fromPubSub(changes))
        }))
    }
  })
  return emitted
})
