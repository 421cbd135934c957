import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { fingerprint } from "../../src/ingest/fingerprint.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { runGenerator } from "../../src/scheduling/runGenerator.ts"
import { connected, services } from "../support/services.ts"

/** Stored fingerprints must not change: these are from earlier releases. */
const STORED = [
  ["in order", { a: 1, b: [{ c: "ä", d: null }] }, "839cbc78e32a477381fce448b9d3feaea6ff6b8d573d2af3a56715148bae0725"],
  ["of keys that look like numbers", {
    form: "json",
    data: { "10": 1, "9": 2, b: { z: true, a: [1, { y: 1, x: 2 }] } }
  }, "16dc750d42fe215ac21c712f91d79e39a2103b6661d333501a1176e64f6dc948"],
  [
    "of a long text",
    { text: "Größe 😀 ".repeat(1_000), title: null },
    "a531068b865bf25cf84127414439962b8452fcf2a59cbb08ef6e8bab8b33ab70"
  ],
  ["of half a character", { text: "\ud83d" }, "4a9977793e72f8dd70a6411daf8f14c0cbfec55392379ff6c222e0e275431734"]
] as const

const LARGE = Infinity

describe("a fingerprint", () => {
  it.each(STORED)("does not change: %s", (_, fields, stored) => {
    assert.strictEqual(runGenerator(fingerprint(fields, 0)), stored)
    assert.strictEqual(runGenerator(fingerprint(fields, LARGE)), stored)
  })

  it("is the same for a large item, whose text is hashed in parts", () => {
    for (const text of ["😀", "é\"\n", "a😀", "\ud83d", "\u0000"]) {
      const fields = {
        list: [[], {}, null, [1.5, true]],
        text: text.repeat(100_000),
        [text.repeat(70_000)]: { b: 1, a: 2 }
      }
      assert.strictEqual(runGenerator(fingerprint(fields, LARGE)), runGenerator(fingerprint(fields, 0)))
    }
  })

  it("is the same whether the JSON of a field is known, in any order of its keys", () => {
    const values: ReadonlyArray<Schema.Json> = [
      { b: "\u2028\"", a: { "10": 1, "9": [{ z: 1, y: null }] } },
      { a: 1, b: [{ c: 1.50, d: "\ud83d" }] },
      JSON.parse("{\"__proto__\":{\"b\":1,\"a\":2}}"),
      [],
      "😀",
      null
    ]
    for (const data of values) {
      const fields = { data, form: "json", metadata: { z: "1", a: "2" } }
      const written = { name: "data", json: JSON.stringify(data) }
      assert.strictEqual(runGenerator(fingerprint(fields, 0, written)), runGenerator(fingerprint(fields, 0)))
      assert.strictEqual(runGenerator(fingerprint(fields, LARGE, written)), runGenerator(fingerprint(fields, 0)))
    }
  })

  it("does not depend on the order of keys, at any depth", () => {
    for (const size of [0, LARGE]) {
      const one = runGenerator(fingerprint({ a: [{ b: 1, c: { d: 2, e: 3 } }], f: 4 }, size))
      assert.strictEqual(runGenerator(fingerprint({ f: 4, a: [{ c: { e: 3, d: 2 }, b: 1 }] }, size)), one)
      assert.strictEqual(runGenerator(fingerprint({ a: [{ b: 1, c: { e: 3, d: 2 } }], f: 4 }, size)), one)
      assert.notStrictEqual(runGenerator(fingerprint({ a: [{ b: 1, c: { d: 3, e: 2 } }], f: 4 }, size)), one)
    }
  })

  it.effect.each([{ title: "T" }, { url: "https://x.example/" }, { content_type: "text/html" as const }])(
    "is another one with %o",
    (changed) =>
      Effect.gen(function*() {
        const { source, workspace } = yield* connected()
        const push = (more: object) =>
          Effect.flatMap(Ingest, (ingest) => ingest.text(workspace, source, [{ external_id: "a", text: "x", ...more }]))
        const sent = yield* Effect.forEach([{}, changed, changed], push)
        assert.deepStrictEqual(sent.map(({ items }) => items[0]?.status), ["created", "updated", "unchanged"])
      }).pipe(Effect.provide(services))
  )
})
