// The OpenAPI documents say what the interface document says, and what the service does.
import { assert, describe, it } from "@effect/vitest"
import { BUILT_IN_KINDS } from "@tributary/core/model/KindCatalogue"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { openApiDocument, operatorDocument } from "../../src/openapi/OpenApiDocument.ts"
import { at, each, entries, operations } from "../support/openapi.ts"

const BASE_URL = "http://127.0.0.1:8787"
const committed = (name: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), "utf8"))

const document = openApiDocument(BASE_URL)
const operator = operatorDocument(BASE_URL)

describe("The OpenAPI document", () => {
  it("is the one in docs/ (`npm run openapi` writes it)", () => {
    assert.deepStrictEqual(committed("openapi.json"), document)
    assert.deepStrictEqual(committed("openapi-operator.json"), operator)
  })

  it("is of version 0.1.0 and in OpenAPI 3.1", () => {
    for (const each of [document, operator]) {
      assert.deepStrictEqual([at(each, "openapi"), at(each, "info", "version")], ["3.1.0", "0.1.0"])
    }
  })

  it("names every operation once, describes it, and gives it a described tag", () => {
    for (const one of [document, operator]) {
      const names = operations(one).map(({ name }) => name)
      assert.strictEqual(new Set(names).size, names.length)
      const tags = each(at(one, "tags")).map((tag) => at(tag, "name"))
      for (const tag of each(at(one, "tags"))) assert.match(String(at(tag, "description")), /^\w.*\.$/)
      for (const { definition, name } of operations(one)) {
        assert.match(String(at(definition, "summary")), /^\w.+/, name)
        assert.match(String(at(definition, "description")), /^[\w`].+/, name)
        assert.include(tags, at(definition, "tags", 0), name)
      }
    }
  })

  it("describes every parameter", () => {
    for (const one of [document, operator]) {
      for (const { definition, name } of operations(one)) {
        for (const parameter of each(at(definition, "parameters"))) {
          if (at(parameter, "$ref") === undefined) {
            assert.match(String(at(parameter, "description")), /^[\w`].*\.$/, name)
          }
        }
      }
    }
  })

  it("describes every field of every schema", () => {
    const visit = (value: unknown, schema: string, prefix: string): void => {
      if (typeof value !== "object" || value === null) return
      for (const [keyword, part] of Object.entries(value)) {
        if (keyword !== "properties") visit(part, schema, prefix)
        else {
          for (const [name, field] of entries(part)) {
            assert.match(String(at(field, "description")), /^[\w`].*\.$/, `${schema}: ${prefix}${name}`)
            visit(field, schema, `${prefix}${name}.`)
          }
        }
      }
    }
    for (const one of [document, operator]) {
      for (const [name, schema] of entries(at(one, "components", "schemas"))) visit(schema, name, "")
      for (const { definition, name } of operations(one)) visit(definition, name, "")
    }
  })

  it("closes the objects that refuse other fields, and no answer", () => {
    const schema = (name: string) => at(document, "components", "schemas", name, "additionalProperties")
    const CLOSED = [
      "KnowledgeTemporalSettings",
      "RelativeBound",
      "DateBound",
      "DocumentFilter",
      "TokenFilter",
      "UpdateSettingsRequest",
      "SearchRequest",
      "AskRequest",
      "RefreshRequest",
      "RateQuestionRequest",
      "IngestJsonRequest",
      "IngestTextRequest",
      "IngestTypedRequest",
      "IngestFileRequest",
      "DeleteConnectorDocumentsRequest",
      "DeleteDocumentsRequest",
      "CreateTokenRequest",
      "CreateWorkspaceRequest",
      "CreateConnectionRequest",
      "UpdateConnectionRequest",
      "StartSyncRequest",
      "CreateWebhookRequest",
      "UpdateWebhookRequest",
      "RotateWebhookSecretRequest"
    ]
    for (const name of Object.keys(at(document, "components", "schemas") as object)) {
      const stated = CLOSED.includes(name) ? false : name.endsWith("Payload") ? true : undefined
      assert.strictEqual(schema(name), stated, name)
    }
  })

  it("distinguishes the bounds of a range by their type", () => {
    for (const side of ["start", "end"]) {
      const bound = at(document, "components", "schemas", "KnowledgeTemporalSettings", "properties", side)
      assert.deepStrictEqual(
        at(bound, "anyOf"),
        at({
          anyOf: [{
            oneOf: [{ $ref: "#/components/schemas/RelativeBound" }, { $ref: "#/components/schemas/DateBound" }],
            discriminator: {
              propertyName: "type",
              mapping: {
                relative: "#/components/schemas/RelativeBound",
                date: "#/components/schemas/DateBound"
              }
            }
          }, { type: "null" }]
        }, "anyOf")
      )
    }
    const days = at(document, "components", "schemas", "RelativeBound", "properties", "days")
    assert.deepStrictEqual([at(days, "type"), at(days, "minimum"), at(days, "maximum")], ["integer", 1, 36_500])
  })

  it("distinguishes typed payloads by their kind, and leaves each open for the client's fields", () => {
    const typed = at(document, "components", "schemas", "IngestTypedRequest", "properties", "items", "items")
    const payload = at(typed, "properties", "payload")
    const schemas = BUILT_IN_KINDS.kinds.map((kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Payload`)
    assert.deepStrictEqual(
      at(payload, "oneOf"),
      at({ oneOf: schemas.map((name) => ({ $ref: `#/components/schemas/${name}` })) }, "oneOf")
    )
    assert.deepStrictEqual(at(payload, "discriminator"), {
      propertyName: "kind",
      mapping: Object.fromEntries(
        BUILT_IN_KINDS.kinds.map((kind, index) => [kind, `#/components/schemas/${schemas[index]}`])
      )
    })
    const fields = (name: string) => Object.keys(at(document, "components", "schemas", name, "properties") as object)
    assert.deepStrictEqual(schemas.map(fields), [
      ["kind", "subject", "from", "to", "cc", "body", "body_html", "thread_id"],
      ["kind", "title", "url", "content", "content_type"],
      ["kind", "channel", "author", "text", "thread_id"],
      ["kind", "title", "description", "location", "start", "end", "organizer", "attendees"],
      ["kind", "key", "title", "state", "author", "assignee", "labels", "body", "url"],
      ["kind", "data"]
    ])
    const valid = new Ajv2020({ strict: false, formats: { "date-time": true } }).addSchema(document, "document")
      .compile({ $ref: "document#/components/schemas/IngestTypedRequest" })
    const isValid = (payload: object) =>
      valid({ items: [{ external_id: "1", timestamp: "2026-01-01T00:00:00Z", payload }] })
    assert.isTrue(isValid({ kind: "issue", key: "A-1", labels: ["a"], colour: { deep: 1 } }))
    assert.isFalse(isValid({ kind: "issue", key: 1 }))
    assert.isFalse(isValid({ kind: "memo" }))
    assert.isFalse(isValid({ key: "A-1" }))
  })

  it("states lengths, patterns, ranges and defaults", () => {
    const field = (schema: string, ...path: ReadonlyArray<string>) =>
      at(document, "components", "schemas", schema, "properties", ...path)
    assert.deepStrictEqual(field("CreateConnectorRequest", "source_name"), {
      type: "string",
      minLength: 1,
      maxLength: 64,
      pattern: "^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
      description: "Unique in the workspace. It is never reused."
    })
    assert.deepStrictEqual(field("CreateConnectorRequest", "name"), {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: "\\S",
      description: "The display name."
    })
    assert.deepStrictEqual(field("SearchRequest", "limit"), {
      anyOf: [{ type: "integer", minimum: 1, maximum: 100 }, { type: "null" }],
      default: 10,
      description: "The maximum number of results."
    })
    const parameters = each(at(document, "paths", "/v1/knowledge/ask/jobs", "get", "parameters"))
    assert.deepStrictEqual(at(parameters.find((one) => at(one, "name") === "limit"), "schema"), {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 20
    })
    assert.notInclude(JSON.stringify(document), String(Number.MAX_SAFE_INTEGER))
  })

  it("has the forms of errors under their codes, with their headers", () => {
    const answer = (status: number) => at(document, "paths", "/v1/knowledge/ask", "post", "responses", status)
    const schema = (status: number, type: string) => at(answer(status), "content", type, "schema")
    assert.deepStrictEqual(schema(401, "application/json"), { $ref: "#/components/schemas/authentication_error" })
    assert.deepStrictEqual(schema(422, "application/json"), { $ref: "#/components/schemas/ValidationErrorBody" })
    assert.deepStrictEqual(schema(429, "application/problem+json"), { $ref: "#/components/schemas/RateLimitProblem" })
    const headers = (status: number) => Object.keys(at(answer(status), "headers") as object)
    const RATE = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"]
    assert.deepStrictEqual(headers(200), ["X-Request-Id", "X-Question-Id", ...RATE])
    assert.deepStrictEqual(headers(202), ["X-Request-Id", "Location", ...RATE])
    assert.deepStrictEqual(headers(401), ["X-Request-Id", "WWW-Authenticate"])
    assert.deepStrictEqual(headers(429), ["X-Request-Id", "Retry-After", ...RATE])
    assert.deepStrictEqual(headers(503), ["X-Request-Id", "Retry-After"])
    assert.notInclude(JSON.stringify(document), "Encoded")
  })

  it("requires a credential everywhere, and the scopes of the operation", () => {
    for (const one of [document, operator]) {
      for (const { definition, name } of operations(one)) {
        assert.lengthOf(Object.keys(at(definition, "security", 0) as object), 1, name)
      }
    }
    assert.deepStrictEqual(at(document, "paths", "/v1/documents/{document_id}", "get", "security"), [
      { apiKey: ["custom_connectors:read"] },
      { apiKey: ["connections:read"] }
    ])
  })

  it("describes both bodies of a 422", () => {
    assert.deepStrictEqual(
      at(document, "paths", "/v1/workspaces", "post", "responses", 422, "content", "application/json", "schema"),
      {
        anyOf: [{ $ref: "#/components/schemas/unprocessable_entity" }, {
          $ref: "#/components/schemas/ValidationErrorBody"
        }]
      }
    )
  })
})
