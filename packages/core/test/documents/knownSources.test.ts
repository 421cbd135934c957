import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Search } from "../../src/search/Search.ts"
import { connected, withSource } from "../support/connecting.ts"

it.effect(
  "a connection without documents is a known source wherever sources are named, as its provider is",
  withSource(0, function*() {
    const { id, workspaceId } = yield* connected()
    const [asks, documents, search] = [yield* Asks, yield* Documents, yield* Search]
    const isWarned = Effect.fnUntraced(function*(source: string) {
      const page = { limit: 1, cursor: null }
      const found = yield* search.search(workspaceId, { q: "notes", sources: [source] })
      const asked = yield* asks.ask(workspaceId, { query: "notes", sources: [source] })
      const listed = yield* documents.browse(workspaceId, { source }, "-timestamp", page)
      const events = yield* documents.events(workspaceId, { source, kind: null }, page)
      return [found.warnings, asked.warnings ?? [], listed.warnings, events.warnings].map(({ length }) => length > 0)
    })
    assert.deepStrictEqual(yield* isWarned(`tiny:${id}`), [false, false, false, false])
    assert.deepStrictEqual(yield* isWarned("tiny"), [false, false, false, false])
    assert.deepStrictEqual(yield* isWarned(`tiny:${workspaceId}`), [true, true, true, true])
    assert.deepStrictEqual(yield* isWarned("tin"), [true, true, true, true])
  })
)
