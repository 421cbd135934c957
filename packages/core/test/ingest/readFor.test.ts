import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@tributary/core/Ingest"
import { ReadFor, TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { admitPulled } from "../../src/sync/run/admitPulled.ts"
import { connected, connectedIn, services } from "../support/services.ts"

describe("the text of files", () => {
  it.effect("is refused when it is not extracted within ten minutes, and pulled items go on after it", () =>
    Effect.gen(function*() {
      const extractor = Layer.mock(TextExtractor, {
        fromMarkup: (text) => text === "<p>endless" ? Effect.never : Effect.succeed({ title: null, text })
      })
      const { source, workspace } = yield* connected()
      const html = (content: string) => ({ kind: "page", content, content_type: "text/html" })
      const origin = { connector_id: source, source: "custom:notes" }
      yield* Effect.gen(function*() {
        const ingest = yield* Ingest
        const pushing = yield* Effect.forkChild(
          Effect.flip(ingest.text(workspace, source, [{ text: "<p>endless", content_type: "text/html" }]))
        )
        const pulling = yield* Effect.forkChild(
          admitPulled(workspace, origin, [
            { external_id: "a", timestamp: new Date(0), payload: html("<p>endless") },
            { external_id: "b", timestamp: new Date(0), payload: html("<p>short") }
          ], undefined)
        )
        yield* TestClock.adjust("10 minutes")
        assert.isDefined(pushing.pollUnsafe())
        assert.isDefined(pulling.pollUnsafe())
        const reason = "The item takes too long to read."
        const refused = yield* Fiber.join(pushing)
        assert.deepStrictEqual([refused._tag, refused.message], ["bad_request", reason])
        const taken = yield* Fiber.join(pulling)
        assert.deepInclude(taken, { ingested: 1, skipped: [{ external_id: "a", reason }] })
      }).pipe(Effect.provide(Layer.fresh(Ingest.layer).pipe(Layer.provideMerge(extractor))))
    }).pipe(Effect.provide(services)))

  it.effect("is extracted in turns of the account, in all its workspaces, pushed or pulled", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const extractor = Layer.mock(TextExtractor, {
        fromMarkup: (text) =>
          Effect.map(ReadFor, (account) => {
            seen.push(account)
            return { title: null, text }
          })
      })
      const first = yield* connected()
      const second = yield* connectedIn(
        yield* (yield* Workspaces).addShared(first.workspace.account_id, "Second")
      )
      const html = { content: "<p>x", content_type: "text/html" } as const
      yield* Effect.gen(function*() {
        for (const { source, workspace } of [first, second, yield* connected()]) {
          yield* (yield* Ingest).text(workspace, source, [{ text: html.content, content_type: html.content_type }])
          const origin = { connector_id: source, source: "custom:notes" }
          const payload = { kind: "page", ...html }
          yield* admitPulled(workspace, origin, [{ external_id: "a", timestamp: new Date(0), payload }], undefined)
        }
      }).pipe(
        Effect.provide(Layer.fresh(Ingest.layer).pipe(Layer.provideMerge(extractor)))
      )
      const { account_id } = first.workspace
      assert.deepStrictEqual(seen.map((account) => account === account_id), [true, true, true, true, false, false])
    }).pipe(Effect.provide(services)))
})
