// The served documents, and the pages for people.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { STATUS } from "../../src/api/ErrorBody.ts"
import { openApiDocument, operatorDocument } from "../../src/openapi/OpenApiDocument.ts"
import { operations } from "../support/openapi.ts"
import { BASE_URL, code, wire } from "../support/wire.ts"

const page = (text: string) => {
  assert.notMatch(text, /<script|<link|<img|<iframe|@import|url\(| on\w+=/i)
  // Nothing is loaded from elsewhere, and no link leaves the service.
  assert.deepStrictEqual([...text.matchAll(/(?:src|href)="(?!#|openapi\.json")([^"]*)"/g)].map(([found]) => found), [])
}

const POLICY =
  /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/

describe("The documents", () => {
  it.effect("are served at /openapi.json and, if the operator API is on, at /admin/v1/openapi.json", () =>
    Effect.gen(function*() {
      const on = yield* wire()
      const answer = yield* on.send("GET", "/openapi.json", { key: null })
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.deepStrictEqual(answer.body, openApiDocument(BASE_URL))
      assert.deepStrictEqual(
        (yield* on.send("GET", "/admin/v1/openapi.json", { key: null })).body,
        operatorDocument(BASE_URL)
      )
      const off = yield* wire({ operator: false })
      assert.strictEqual(code(yield* off.send("GET", "/admin/v1/openapi.json", { key: null })), "not_found")
      assert.strictEqual((yield* off.send("GET", "/openapi.json", { key: null })).status, 200)
    }))
})

describe("The reference", () => {
  it.effect("shows every operation and schema, and loads nothing", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const { headers, status, text } = yield* service.send("GET", "/docs", { key: null })
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/html; charset=utf-8"])
      assert.match(headers.get("content-security-policy") ?? "", POLICY)
      page(text)
      for (const { method, name, path } of operations(openApiDocument(BASE_URL))) {
        assert.include(text, `<section id="${name}">`)
        assert.include(text, `<code>${method.toUpperCase()} ${path}</code>`)
      }
      assert.include(text, "<section id=\"schema-CustomConnector\">")
      assert.include(text, "/v1/custom-connectors/{connector_id}/documents/{external_id}")
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) assert.isTrue(ids.has(target), target)
    }))
})

describe("The pages of errors", () => {
  const documented = readFileSync(fileURLToPath(new URL("../../../../docs/errors.md", import.meta.url)), "utf8")
  const rows = [...documented.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+?) \| (.+?) \|$/gm)]

  it("have the codes of docs/errors.md, with the same status", () => {
    assert.deepStrictEqual(
      Object.fromEntries(rows.map(([, status, name]) => [name, Number(status)])),
      { ...STATUS }
    )
  })

  it.effect("exist for every code, with its status", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      for (const [name, status] of Object.entries(STATUS)) {
        const answer = yield* service.send("GET", `/errors/${name}`, { key: null })
        assert.strictEqual(answer.status, 200, name)
        assert.match(answer.headers.get("content-security-policy") ?? "", POLICY)
        assert.include(answer.text, `<code>${name}</code>`)
        assert.include(answer.text, `Status ${status}`)
        page(answer.text)
      }
    }))

  it.effect("do not exist for anything else", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      for (const name of ["unknown", "constructor", "__proto__", "%3Cscript%3E", "validation_error"]) {
        const answer = yield* service.send("GET", `/errors/${name}`, { key: null })
        assert.deepStrictEqual([answer.status, code(answer)], [404, "not_found"], name)
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
      }
    }))

  it.effect("are at the address in the type of a rate-limit problem", () =>
    Effect.gen(function*() {
      const service = yield* wire()
      const asked = () => service.send("POST", "/v1/knowledge/refresh")
      for (let count = 0; count < 2; count++) yield* asked()
      const refused = yield* asked()
      assert.strictEqual(refused.status, 429)
      const { pathname } = new URL(String((refused.body as { readonly type: string }).type))
      assert.strictEqual((yield* service.send("GET", pathname, { key: null })).status, 200)
    }))
})
