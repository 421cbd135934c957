import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@tributary/core/Ingest"
import { ReadFor, TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer } from "effect"
import { takeIn } from "../../src/sync/run/pullAdmission.ts"
import { connected, connectedIn, services } from "../support/services.ts"

describe("the text of files", () => {
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
          yield* takeIn(workspace, origin, [{ external_id: "a", timestamp: new Date(0), payload }])
        }
      }).pipe(
        Effect.provide(Layer.fresh(Ingest.layer).pipe(Layer.provideMerge(extractor)))
      )
      const { account_id } = first.workspace
      assert.deepStrictEqual(seen.map((account) => account === account_id), [true, true, true, true, false, false])
    }).pipe(Effect.provide(services)))
})
