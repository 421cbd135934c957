/** Results with their stored payloads, which may be as large as documents. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { assert, layer } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import type { SearchAnswer } from "../../src/model/Search.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { Search } from "../../src/search/Search.ts"
import { filled, serviceOn } from "../support/filled.ts"
import { NOW } from "../support/written.ts"

const MIB = 1_048_576

/** The sizes of documents by their names, in MiB. Only the store says that they are as large. */
const SIZES: Readonly<Record<string, number>> = { a: 13, b: 13, c: 6, d: 33, e: 13 }

const store = Layer.effect(
  DocumentStore,
  Effect.map(DocumentStore, (inner) => ({
    ...inner,
    passages: (...given: Parameters<typeof inner.passages>) =>
      Effect.map(inner.passages(...given), (passages) =>
        passages.map((passage) => ({
          ...passage,
          document: { ...passage.document, size: SIZES[passage.document.external_id]! * MIB }
        })))
  }))
)

const service = serviceOn(store.pipe(Layer.provideMerge(Memory.layer)), ExtractiveAnswerer.layer)

layer(service)("a search for evidence", (it) => {
  it.effect("has fewer results if their documents are large, and the next page has the others", () =>
    Effect.gen(function*() {
      const names = Object.keys(SIZES)
      const id = yield* filled(names.map((external_id) => ({
        external_id,
        timestamp: NOW,
        payload: { kind: "page", content: `The harbour of ${external_id}.` }
      })))
      const search = yield* Search
      const request = { q: "harbour", limit: 10 }
      const pages: Array<ReadonlyArray<string>> = []
      for (let cursor: string | null = null; pages.length === 0 || cursor !== null;) {
        const page: SearchAnswer = yield* search.search(id, { ...request, include_evidence: true, cursor })
        assert.isTrue(page.results.every(({ evidence }) => JSON.stringify(evidence).includes("harbour")))
        pages.push(page.results.map(({ external_id }) => external_id))
        cursor = page.next_cursor
      }
      const inOrder = (yield* search.search(id, request)).results.map(({ external_id }) => external_id)
      assert.deepStrictEqual(pages.flat(), inOrder)
      assert.sameMembers(inOrder, names)
      for (const [at, page] of pages.entries()) {
        const size = (shown: ReadonlyArray<string>) => shown.reduce((sum, name) => sum + SIZES[name]!, 0)
        assert.isTrue(page.length === 1 || size(page) <= 32)
        const [next] = pages[at + 1] ?? []
        assert.isTrue(next === undefined || size([...page, next]) > 32)
      }
    }))
})
