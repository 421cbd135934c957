// Events and answers as they come: decisions.md §3 "GET /v1/runtime/events", §5 "Ask".
import { assert, describe, it } from "@effect/vitest"
import { DocumentId, EventId } from "@tributary/core/model/Id"
import type { EventRecord } from "@tributary/core/ports/DocumentStore"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { eventsAfter, newestEvent } from "../../src/documents/watchEvents.ts"

const event = (event_seq: number): EventRecord => ({
  event_seq,
  event_id: EventId.make(crypto.randomUUID()),
  type: "document.created",
  source: event_seq % 2 === 0 ? "custom:even" : "custom:odd",
  kind: "custom",
  external_id: String(event_seq),
  document_id: DocumentId.make(crypto.randomUUID()),
  timestamp: new Date(0),
  created_at: new Date(0),
  metadata: {}
})

/** Events numbered from `first` to `last`, and how often they were read. */
const stored = (first: number, last: number) => {
  const events = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => event(first + index))
  const state = { events, reads: 0, begun: new Array<number>() }
  const read = (since: number, limit: number) =>
    Effect.sync(() => {
      state.reads++
      state.begun.push(since)
      return state.events.filter(({ event_seq }) => event_seq > since).slice(0, limit)
    })
  return { state, read }
}

describe("The newest event", () => {
  it.effect("is found among any number of them, even if the first ones are deleted", () =>
    Effect.gen(function*() {
      const ranges: ReadonlyArray<readonly [number, number]> = [
        [1, 0],
        [1, 1],
        [1, 2],
        [5, 5],
        [1, 7],
        [1, 8],
        [1, 9],
        [900, 1_000],
        [1_000, 1_000],
        [1, 1_023]
      ]
      for (const [first, last] of ranges) {
        const { read } = stored(first, last)
        assert.strictEqual(yield* newestEvent(read), last < first ? 0 : last, `${first} to ${last}`)
      }
    }))

  it.effect("is found with few reads", () =>
    Effect.gen(function*() {
      const { read, state } = stored(1, 5_000)
      yield* newestEvent(read)
      assert.isBelow(state.reads, 30)
    }))
})

describe("Events after a number", () => {
  it.effect("are delivered once each, in order, and late ones within a second", () =>
    Effect.gen(function*() {
      const { read, state } = stored(1, 250)
      const even = eventsAfter(10, read, ({ source }) => source === "custom:even")
      const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.take(even, 4)))
      yield* TestClock.adjust("1 second")
      const reads = state.reads
      state.events.push(event(251), event(252))
      yield* TestClock.adjust("1 second")
      const batches = yield* Fiber.join(fiber)
      const expected = Array.from({ length: 121 }, (_, index) => 12 + 2 * index)
      assert.deepStrictEqual(batches.flat().map(({ event_seq }) => event_seq), expected)
      assert.isAtMost(reads, 5)
    }))

  it.effect("are not read again if none of them matches", () =>
    Effect.gen(function*() {
      const { read, state } = stored(1, 50)
      const fiber = yield* Effect.forkChild(Stream.runDrain(eventsAfter(0, read, () => false)))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(state.begun, [0, 50, 50, 50])
    }))
})
