// The OpenAPI document says what the interface document says.
import { assert, describe, it } from "@effect/vitest"
import { openApiDocument } from "../src/OpenApiDocument.ts"

type Json = Readonly<Record<string, never>>

const document = JSON.parse(openApiDocument("https://tributary.test")) as Json

const at = (...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[name],
    document
  )

describe("The OpenAPI document", () => {
  it("is of version 0.1.0 and in OpenAPI 3.1", () => {
    assert.deepStrictEqual([at("openapi"), at("info", "version")], ["3.1.0", "0.1.0"])
  })

  it("closes the objects that take no other fields, and no answer", () => {
    const body = (path: string, method: string) =>
      at("paths", path, method, "requestBody", "content", "application/json", "schema", "additionalProperties")
    assert.strictEqual(body("/v1/knowledge/settings", "patch"), false)
    assert.strictEqual(body("/v1/knowledge/search", "post"), false)
    assert.strictEqual(body("/v1/custom-connectors", "post"), undefined)
    assert.strictEqual(body("/v1/custom-connectors/{connector_id}", "patch"), undefined)
    assert.strictEqual(body("/v1/custom-connectors/{connector_id}/ingest", "post"), false)
    for (const name of ["KnowledgeTemporalSettings", "RelativeBound", "DateBound"]) {
      assert.strictEqual(at("components", "schemas", name, "additionalProperties"), false, name)
    }
    for (const name of ["KnowledgeSettings", "CustomConnector", "SearchAnswer", "client_not_found"]) {
      assert.notStrictEqual(at("components", "schemas", name), undefined, name)
      assert.strictEqual(at("components", "schemas", name, "additionalProperties"), undefined, name)
    }
  })

  it("names the types of query parameters and of rate-limit headers", () => {
    const parameters = at("paths", "/v1/knowledge/ask/jobs", "get", "parameters") as ReadonlyArray<Json>
    assert.deepStrictEqual(parameters.find(({ name }) => name === "limit")?.["schema"], {
      type: "integer",
      minimum: 1,
      maximum: 100
    })
    const headers = ["paths", "/v1/knowledge/ask", "post", "responses", 429, "headers"] as const
    assert.deepStrictEqual(at(...headers, "retry-after", "schema"), { type: "integer" })
    assert.deepStrictEqual(at(...headers, "ratelimit-policy", "schema"), { type: "string" })
  })

  it("has the three forms of errors, under their codes", () => {
    const schema = (status: number, type: string) =>
      at("paths", "/v1/knowledge/ask", "post", "responses", status, "content", type, "schema", "$ref")
    assert.strictEqual(schema(401, "application/json"), "#/components/schemas/authentication_error")
    assert.strictEqual(schema(422, "application/json"), "#/components/schemas/ValidationErrorBody")
    assert.strictEqual(schema(429, "application/problem+json"), "#/components/schemas/RateLimitProblem")
    assert.notInclude(JSON.stringify(document), "Encoded")
  })
})
