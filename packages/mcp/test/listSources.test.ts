/** What `list_sources` says when the public API does not answer everything. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { listSources } from "../src/tools/listSources.ts"
import { answering, CONNECTIONS, connector, CONNECTORS, DOCUMENTS } from "./support/publicApi.ts"

const NONE = { documents: [], next_cursor: null, total: 0 }

interface Listed {
  readonly connectors: ReadonlyArray<object>
  readonly connections: ReadonlyArray<object>
}

const listed = (answers: { readonly [path: string]: unknown }) =>
  Effect.map(answering(answers)(listSources.run({})), ({ asked, result }) => ({
    asked,
    isRefused: Result.isFailure(result),
    ...Result.getOrElse(result, () => ({ connectors: [], connections: [] })) as Listed
  }))

describe("list_sources", () => {
  it.effect("names the sources that may be seen, without numbers that may not", () =>
    Effect.gen(function*() {
      const { connections, connectors } = yield* listed({
        [CONNECTORS]: [connector(1)],
        [CONNECTIONS]: "insufficient_scopes",
        [DOCUMENTS]: "insufficient_scopes"
      })
      assert.deepStrictEqual(connections, [])
      assert.lengthOf(connectors, 1)
      assert.deepInclude(connectors[0], { source: "custom:wiki-1", documents: null, documents_exact: false })
    }))

  it.effect("fails if anything fails otherwise, rather than to say that there is nothing", () =>
    Effect.gen(function*() {
      const all = { [CONNECTORS]: [connector(1)], [CONNECTIONS]: [], [DOCUMENTS]: NONE }
      assert.isFalse((yield* listed(all)).isRefused)
      for (const path of Object.keys(all)) {
        assert.isTrue((yield* listed({ ...all, [path]: "rate_limited" })).isRefused, path)
      }
    }))

  it.effect("says of many documents that they are at least as many", () =>
    Effect.gen(function*() {
      const many = { documents: [], next_cursor: null, total_at_least: 10_000 }
      const { connectors } = yield* listed({ [CONNECTORS]: [connector(1)], [CONNECTIONS]: [], [DOCUMENTS]: many })
      assert.deepInclude(connectors[0], { documents: 10_000, documents_exact: false })
    }))

  it.effect("counts the documents of no more than a hundred sources of a kind", () =>
    Effect.gen(function*() {
      const all = Array.from({ length: 120 }, (_, at) => connector(at))
      const { asked, connectors } = yield* listed({ [CONNECTORS]: all, [CONNECTIONS]: [], [DOCUMENTS]: NONE })
      assert.lengthOf(asked.filter((path) => path === DOCUMENTS), 100)
      assert.lengthOf(connectors, 120)
      assert.deepInclude(connectors[119], { documents: null, documents_exact: false })
    }))
})
