/** How long what happened is kept: the dates before which a server prunes, at its start and every hour. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { QuestionLog } from "../../src/ask/Questions.ts"
import { pruning } from "../../src/jobs/retention.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { LastWritten } from "../../src/ports/LastWritten.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor, settle } from "../support/wholeService.ts"

const NOW = Date.parse("2026-11-28T12:00:00Z")
const DAY = 86_400_000
const HOUR = 3_600_000

const dayOf = (ago: number): string => new Date(NOW - ago * DAY).toISOString().slice(0, 10)

const isPruning = (method: string): boolean => /^prune(Events|Followed|Traffic)?$/.test(method)

/** What a server prunes when it starts, by port. */
const pruned = (isLogged: boolean) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(NOW)
    const dates = new Map<string, unknown>()
    const noting = (name: string, port: object): object =>
      Object.fromEntries(
        Object.entries(port).map(([method, member]) => [
          method,
          !isPruning(method) ? member : (...args: ReadonlyArray<unknown>) => {
            dates.set(`${name.split("/").at(-1)!}${method === "pruneFollowed" ? ` but ${args[0]}` : ""}`, args.at(-1))
            return member(...args)
          }
        ])
      )
    const ports = Effect.map(
      Layer.build(Layer.fresh(Memory.layer)),
      ({ mapUnsafe }) =>
        Context.makeUnsafe<Layer.Success<typeof Memory.layer>>(
          new Map(
            Array.from(
              mapUnsafe,
              ([name, port]) => [name, Object.keys(port).some(isPruning) ? noting(name, port) : port]
            )
          )
        )
    )
    yield* Layer.build(Tributary.layer.pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(extractor),
      Layer.provide(Layer.effectContext(ports)),
      Layer.provide(Layer.succeed(QuestionLog, isLogged))
    ))
    yield* settle(2)
    const ago = (date: unknown) => date instanceof Date ? Math.round((NOW - date.getTime()) / HOUR) / 24 : date
    return Object.fromEntries(Array.from(dates, ([port, date]) => [port, ago(date)]))
  }).pipe(Effect.scoped)

describe("A server", () => {
  it.effect("keeps jobs that others followed for an hour, but asked questions as long as all jobs", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* pruned(true))["JobStore but ask"], 1 / 24)
    }))

  it.effect("keeps jobs, questions and deliveries for 30 days, events and usage for 90, and changes for a year", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* pruned(true), {
        JobStore: 30,
        QuestionStore: 30,
        WebhookStore: 30,
        DocumentStore: 90,
        UsageStore: dayOf(90),
        ApiKeyStore: dayOf(31),
        AuditStore: 365
      })
    }))

  it.effect("loses a day of what it keeps at most while the clock is a year ahead for an hour", () =>
    Effect.gen(function*() {
      const [jobs, prune] = [yield* JobStore, yield* pruning]
      const dates: Array<number> = []
      const noted = Effect.provideService(prune, JobStore, {
        ...jobs,
        prune: (before) => Effect.sync(() => dates.push((before.getTime() - NOW) / HOUR))
      })
      for (const hours of [0, 365 * 24, 1, 2]) {
        yield* TestClock.setTime(NOW + hours * HOUR)
        yield* noted
      }
      assert.deepStrictEqual(dates.map((hours) => hours + 30 * 24), [0, 24, 1, 2])
    }).pipe(Effect.provide(Memory.layer)))

  it.effect("loses a day at most if it starts with a clock that is a year ahead of the last write", () =>
    Effect.gen(function*() {
      const prune = yield* Effect.provideService(pruning, LastWritten, NOW)
      const jobs = yield* JobStore
      let before = 0
      yield* TestClock.setTime(NOW + 365 * DAY)
      yield* Effect.provideService(prune, JobStore, {
        ...jobs,
        prune: (date) => Effect.sync(() => before = date.getTime())
      })
      assert.strictEqual((before - NOW) / DAY, 1 - 30)
    }).pipe(Effect.provide(Memory.layer)))

  it.effect("deletes the questions that it logged when they are logged no more", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* pruned(false))["QuestionStore"], 0)
    }))
})
