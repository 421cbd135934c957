/** A tiny source whose provider tells of changes, and whose resources come and go. */
import { type SyncFailure } from "@tributary/core/ports/Provider"
import { Effect, PubSub, Redacted, Stream } from "effect"
import { type TinyConfig, type TinySource, tinySource } from "./tinySource.ts"

export interface ToldSource extends TinySource {
  /** Tells those who watch. */
  readonly tell: Effect.Effect<void>
  /** Of this resource alone. */
  readonly tellOf: (resource: string) => Effect.Effect<void>
  /** What a watch begins with. */
  watchFault: Effect.Effect<void, SyncFailure>
  /** How many watches there are. */
  watches: number
  /** When each began, in milliseconds, with which password. */
  readonly watchesBegan: Array<{ readonly at: number; readonly password: string }>
}

export const toldSource = Effect.gen(function*() {
  const changes = yield* PubSub.unbounded<string>()
  const source = tinySource()
  const told: ToldSource = Object.assign(source, {
    tell: Effect.asVoid(PubSub.publish(changes, "notes")),
    tellOf: (resource: string) => Effect.asVoid(PubSub.publish(changes, resource)),
    watchFault: Effect.void,
    watches: 0,
    watchesBegan: [],
    provider: {
      ...source.provider,
      resourcesVary: () => true,
      changes: ({ password }: TinyConfig, resources: ReadonlyArray<string>) =>
        Stream.unwrap(Effect.gen(function*() {
          const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          told.watchesBegan.push({ at, password: Redacted.value(password) })
          yield* Effect.acquireRelease(
            Effect.sync(() => told.watches++),
            () => Effect.sync(() => told.watches--)
          )
          yield* told.watchFault
          return Stream.concat(Stream.fromIterable(resources), Stream.fromPubSub(changes))
        }))
    }
  })
  return told
})
