import { assert, describe, it } from "@effect/vitest"
import { runGenerator } from "@tributary/core/runGenerator"
import { hasLongText } from "@tributary/core/longText"
import { DocumentId, EventId } from "@tributary/core/model/Id"
import type { Admission } from "@tributary/core/ports/DocumentStore"
import { packed, unpacked } from "../src/internal/packedTexts.ts"

const item = (chunks: ReadonlyArray<string>, payload: string | null): Admission => ({
  external_id: "a",
  document_id: DocumentId.make("01890000-0000-7000-8000-000000000001"),
  event_id: EventId.make("01890000-0000-7000-8000-000000000002"),
  kind: "custom",
  title: null,
  url: null,
  size: 1,
  chunks,
  payload,
  timestamp: null,
  ends_at: null,
  metadata: {},
  fingerprint: "f",
  oversized: false
})

describe("texts as bytes", () => {
  it("are restored unchanged, with characters of any width and cuts anywhere", () => {
    const texts = ["", "a", "é", "会".repeat(70_000), "😀".repeat(70_000), `x${"😀".repeat(70_000)}`, "\u0000\n"]
    const items = [item(texts, null), item([], texts.join("")), item(texts.toReversed(), ""), item([], null)]
    const restored = unpacked(runGenerator(packed(items))).map(({ payload, ...others }) => ({
      ...others,
      payload: payload instanceof Uint8Array ? new TextDecoder().decode(payload) : payload
    }))
    assert.deepStrictEqual(restored, items)
  })

  it("are used for items that are long together, by their texts or by their payloads", () => {
    const half = "a".repeat(300_000)
    assert.isFalse(hasLongText([item([half], null)]))
    assert.isTrue(hasLongText([item([half], null), item([], half)]))
  })
})
