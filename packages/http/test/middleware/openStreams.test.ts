import { assert, describe, it } from "@effect/vitest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Effect, Stream } from "effect"
import { makeOpenStreams } from "../../src/middleware/OpenStreams.ts"
import { EventStream } from "../../src/response/EventStreams.ts"
import { Reply } from "../../src/response/Reply.ts"

describe("an event stream", () => {
  it.effect("frees its place once, although both its stream and its request end", () =>
    Effect.gen(function*() {
      const open = makeOpenStreams()({ principal: OPERATOR }, Effect.succeed(new EventStream(Stream.empty)))
      const read = Effect.flatMap(open, (given) => {
        const { body } = Reply.of(given)
        return body instanceof EventStream ? Stream.runDrain(body.events) : Effect.die(body)
      })
      yield* Effect.scoped(read)
      const openAll = Effect.gen(function*() {
        for (let opened = 0; opened < 32; opened++) yield* open
        assert.strictEqual((yield* Effect.flip(open))._tag, "rate_limit_exceeded")
      })
      yield* Effect.scoped(openAll)
    }))
})
