// What a schema accepts is never too large for its operation.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { field, wire } from "../support/wire.ts"

describe("The limits of bodies", () => {
  it.effect("accept the largest valid body with every character escaped, and validate a longer one", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const escaped = (body: unknown): string =>
        JSON.stringify(body).replaceAll(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
      const text = (length: number, end = "😀") => "😀".repeat(length - 1) + end
      /** Different ones that begin alike. */
      const texts = (number: number, length: number) =>
        Array.from({ length: number }, (_, index) => text(length, String.fromCodePoint(0x10000 + index)))
      const metadata = (pairs: number, length: number) =>
        Object.fromEntries(texts(pairs, 128).map((key) => [key, text(length)]))
      const made = yield* send("POST", "/v1/custom-connectors", { body: { name: "n", source_name: "n" } })
      const connector = `/v1/custom-connectors/${field<string>(made, "connector_id")}`
      const asked = yield* send("POST", "/v1/knowledge/ask", { body: { query: "What is it?" } })
      const feedback = `/v1/knowledge/questions/${asked.headers.get("x-question-id")}/feedback`
      const filters = (more: number) => ({ sources: texts(20, 200), metadata: metadata(20, 2_000 + more) })
      const bodies: ReadonlyArray<readonly [method: string, path: string, body: (more: number) => unknown]> = [
        ["POST", "/v1/knowledge/search", (more) => ({ q: text(1_000), ...filters(more) })],
        ["POST", "/v1/knowledge/ask", (more) => ({
          query: text(2_000),
          history: texts(10, 800).map((text) => ({ role: "assistant", text })),
          ...filters(more)
        })],
        ["PATCH", connector, (more) => ({ name: text(255), metadata: metadata(50, 2_000 + more) })],
        ["POST", "/v1/custom-connectors", (more) => ({
          name: text(255),
          source_name: "s".repeat(64),
          accepted_kinds: Array(50).fill("k".repeat(64)),
          metadata: metadata(50, 2_000 + more)
        })],
        ["POST", `${connector}/documents/delete`, (more) => ({ external_ids: texts(1_000, 512 + more) })],
        ["POST", "/v1/documents/delete", (more) => ({ document_ids: texts(1_000, 100 + more) })],
        ["POST", feedback, (more) => ({ useful: true, comment: text(2_000 + more) })]
      ]
      for (const [method, path, body] of bodies) {
        const statusOf = (more: number) =>
          Effect.map(send(method, path, { raw: escaped(body(more)) }), ({ status }) => status)
        assert.include([200, 201], yield* statusOf(0), path)
        assert.strictEqual(yield* statusOf(1), 422, path)
      }
    }))
})
