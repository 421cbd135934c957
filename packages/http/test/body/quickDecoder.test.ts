// The quick decoder agrees with Effect's on everything that it accepts, and accepts everything that Effect's accepts.
import { assert, describe, it } from "@effect/vitest"
import { ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import { JsonItems, TextItems, typedItemsOf } from "@tributary/core/model/Ingest"
import { BUILT_IN_KINDS } from "@tributary/core/model/KindCatalogue"
import { KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { SearchRequest } from "@tributary/core/model/Search"
import { Result, type Schema, SchemaParser } from "effect"
import { LENIENT, STRICT } from "@tributary/core/validation/Part"
import { quickDecoder, REFUSED } from "@tributary/core/validation/quickDecoder"
import { randomOf } from "../support/random.ts"

const ROUNDS = 300

const metadata = { team: "ops", "😀": "" }
const timestamp = "2026-05-05T10:00:00+02:00"
const payload = { kind: "calendar", title: "A", start: timestamp, end: timestamp, attendees: ["b"], own: { x: [1] } }

const CASES: ReadonlyArray<readonly [string, Schema.Top, unknown]> = [
  ["JSON items", JsonItems, { items: [{ data: { a: [1, "x"] }, external_id: "a", timestamp, metadata }, { data: 1 }] }],
  ["texts", TextItems, {
    items: [{ text: "x", title: null, url: "https://example.org", content_type: "text/html", timestamp }, { text: "" }]
  }],
  ["typed items", typedItemsOf(BUILT_IN_KINDS), { items: [{ external_id: "a", timestamp, payload, metadata }] }],
  ["a connector", NewConnector, { name: "A", source_name: "a", accepted_kinds: ["page"], metadata }],
  ["a connector's patch", ConnectorPatch, { name: "A", is_active: true, metadata: null }],
  ["settings", KnowledgeSettingsPatch, {
    temporal_settings: { start: { type: "relative", days: 3 }, end: { type: "date", date: "2026-05-05" } }
  }],
  ["a search", SearchRequest, { q: "x", limit: 5, sources: ["page"], metadata, from: timestamp, group_by: "chunk" }]
]

describe("the quick decoder", () => {
  it.each(CASES)("decodes as Effect does: %s", (_, schema, sound) => {
    const random = randomOf(7)
    const accepted: Array<boolean> = []
    for (const options of [STRICT, LENIENT]) {
      const quickly = quickDecoder(schema.ast, options)
      assert.isDefined(quickly)
      const decode = SchemaParser.decodeUnknownResult(schema as Schema.Codec<unknown>, options)
      for (let round = 0; round < ROUNDS; round++) {
        const text = round === 0 ? JSON.stringify(sound) : random.mutated(sound)
        const expected = decode(JSON.parse(text))
        const decoded = quickly!(JSON.parse(text))
        accepted.push(decoded !== REFUSED)
        if (Result.isFailure(expected)) assert.strictEqual(decoded, REFUSED, text)
        else assert.deepStrictEqual(decoded, expected.success, text)
      }
    }
    assert.isTrue(accepted.includes(true) && accepted.includes(false))
  })

  it("refuses a list that is too long without a look at its items", () => {
    const items = Array.from({ length: 1_001 }, () => ({ text: "x" }))
    Object.defineProperty(items, 0, { get: () => assert.fail("read") })
    assert.strictEqual(quickDecoder(TextItems.ast, STRICT)!({ items }), REFUSED)
  })
})
