// Which connectors a token with a filter sees, and what warnings reveal of the others.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Json } from "../support/connected.ts"
import { full, idsOf, TEXT } from "../support/narrowed.ts"
import { code, field } from "../support/wire.ts"

describe("A token with a filter", () => {
  it.effect("by kind sees the sources with visible documents, and their counts", () =>
    Effect.gen(function*() {
      const { as, assistant, connector, ingest, newToken, wiki } = yield* full
      yield* ingest(yield* connector("hers"), [{ text: TEXT, metadata: { team: "b" } }])
      yield* connector("empty")
      const token = yield* newToken({ filter: { sources: ["custom"], metadata: { team: "a" } } })
      const send = as(token)
      const listed = (yield* send("GET", "/v1/custom-connectors")).body as ReadonlyArray<Json>
      assert.sameMembers(listed.map(({ source_name }) => source_name), ["vault", "wiki"])
      assert.lengthOf(idsOf(yield* send("GET", `${wiki}/documents`), "documents"), 1)
      const { connectors } = (yield* assistant(token).tool("list_sources")).structuredContent
      assert.sameDeepMembers(connectors.map(({ documents, source }: Json) => [source, documents]), [
        ["custom:vault", 1],
        ["custom:wiki", 1]
      ])
      const none = as(yield* newToken({ filter: { sources: ["email"] } }))
      assert.deepStrictEqual((yield* none("GET", "/v1/custom-connectors")).body, [])
    }))

  it.effect("without sources sees those with visible documents, and nothing of the others", () =>
    Effect.gen(function*() {
      const { as, assistant, connector, ingest, newToken, vault, wiki } = yield* full
      const timestamp = "2026-04-01T00:00:00.000Z"
      const hers = yield* connector("hers")
      yield* ingest(hers, [{ text: TEXT, timestamp, metadata: { team: "b" } }])
      const empty = yield* connector("empty")
      for (
        const [filter, seen, unseen] of [
          [{ metadata: { team: "a" } }, ["vault", "wiki"], [hers, empty]],
          [{ to: "2026-04-02T00:00:00.000Z" }, ["hers"], [wiki, vault, empty]],
          [{ from: "2026-04-02T00:00:00.000Z", metadata: { team: "b" } }, ["wiki"], [hers, vault, empty]],
          [{ metadata: { team: "c" } }, [], [wiki, vault, hers, empty]],
          [{ metadata: {} }, ["empty", "hers", "vault", "wiki"], []]
        ] as const
      ) {
        const token = yield* newToken({ filter })
        const send = as(token)
        const listed = (yield* send("GET", "/v1/custom-connectors")).body as ReadonlyArray<Json>
        assert.sameMembers(listed.map(({ source_name }) => source_name), [...seen])
        for (const path of unseen) assert.strictEqual(code(yield* send("GET", path)), "client_not_found", path)
        const { connectors } = (yield* assistant(token).tool("list_sources")).structuredContent
        assert.sameMembers(connectors.map(({ source }: Json) => source), seen.map((name) => `custom:${name}`))
        const sources = ["wiki", "vault", "hers", "empty", "nowhere"].map((name) => `custom:${name}`)
        const warned = sources.filter((source) => !seen.some((name) => source === `custom:${name}`))
        const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "deploys", sources } })
        assert.deepStrictEqual(
          field(found, "warnings"),
          warned.map((source) => `sources: nothing in this workspace matches "${source}"`)
        )
        const asked = yield* send("POST", "/v1/knowledge/ask", { body: { query: "When do deploys run?", sources } })
        for (const source of sources) {
          assert.strictEqual(asked.text.includes(`matches \\"${source}\\"`), warned.includes(source), source)
        }
      }
    }))
})
