// Forms out of the schemas of providers that nobody here has written.
import { assert, describe, it } from "vitest"
import { draftOf, groupIn, missing, valueOf } from "../src/connections/draft.ts"
import { configShape, fieldsOf, type JsonObject } from "../src/connections/schemaFields.ts"

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    site: { $ref: "#/$defs/Address" },
    depth: { type: "integer", minimum: 1, default: 3 },
    archived: { type: "boolean" },
    links: { type: "boolean", default: true },
    language: { anyOf: [{ type: "string", enum: ["en", "de"] }, { type: "null" }] },
    kinds: { type: "array", items: { enum: ["page", "post"] } },
    skip: { type: "array", items: { type: "string" } },
    login: {
      oneOf: [
        {
          type: "object",
          properties: { type: { const: "token" }, token: { type: "string", writeOnly: true } },
          required: ["type", "token"]
        },
        {
          title: "User and password",
          type: "object",
          properties: {
            type: { enum: ["basic"] },
            user: { type: "string" },
            secret: { type: "string", format: "password" }
          },
          required: ["type", "user", "secret"]
        }
      ]
    },
    proxy: {
      type: "object",
      properties: { host: { type: "string" }, port: { type: "number" } },
      required: ["host"]
    },
    headers: { type: "object", additionalProperties: { type: "string" } }
  },
  required: ["site"],
  $defs: { Address: { type: "string", format: "uri", title: "Address" } }
}

const shape = configShape(SCHEMA)
const field = (name: string) => fieldsOf(shape).find((field) => field.name === name)!
const empty = draftOf(shape, undefined)
const never = () => false

describe("A form", () => {
  it("has a field of the right kind for each part of the schema", () => {
    assert.deepStrictEqual(fieldsOf(shape).map(({ name, shape: { kind } }) => [name, kind]), [
      ["site", "text"],
      ["depth", "number"],
      ["archived", "switch"],
      ["links", "switch"],
      ["language", "choice"],
      ["kinds", "choices"],
      ["skip", "lines"],
      ["login", "variants"],
      ["proxy", "group"],
      ["headers", "json"]
    ])
    assert.deepInclude(field("site"), { label: "Address", required: true })
    const { shape: login } = field("login")
    assert.strictEqual(login.kind, "variants")
    assert.deepStrictEqual(
      login.kind === "variants" ? login.variants.map(({ label }) => label) : [],
      ["None", "Token", "User and password"]
    )
  })

  it("sends entered and default values, and leaves out empty ones", () => {
    assert.deepStrictEqual(valueOf(shape, empty), { depth: 3, links: true })
    const filled = {
      ...groupIn(empty),
      site: "https://example.org",
      depth: "5",
      links: false,
      language: "de",
      kinds: ["post"],
      skip: ["/old", "", " /drafts "],
      login: { index: 1, of: { type: "token", token: "t" } },
      proxy: { host: "proxy", port: "" },
      headers: "{\"x-team\": \"docs\"}"
    }
    assert.deepStrictEqual(valueOf(shape, filled), {
      site: "https://example.org",
      depth: 5,
      links: false,
      language: "de",
      kinds: ["post"],
      skip: ["/old", "/drafts"],
      login: { type: "token", token: "t" },
      proxy: { host: "proxy" },
      headers: { "x-team": "docs" }
    })
  })

  it("starts with the stored configuration, recognizes its variant, and sends it unchanged", () => {
    const config = {
      site: "https://example.org",
      depth: 2,
      links: true,
      login: { type: "basic", user: "ada" },
      skip: ["/old"],
      headers: { a: "b" }
    }
    const draft = draftOf(shape, config)
    assert.deepStrictEqual(groupIn(draft)["login"], { index: 2, of: { type: "basic", user: "ada", secret: "" } })
    assert.deepStrictEqual(valueOf(shape, draft), config)
  })

  it("requires required fields, and those of an optional part only once it is started", () => {
    assert.deepStrictEqual(missing(shape, empty, never), ["site"])
    const begun = { ...groupIn(empty), site: "s", proxy: { port: "1" }, login: { index: 2, of: { user: "ada" } } }
    assert.deepStrictEqual(missing(shape, begun, never), ["login.secret", "proxy.host"])
    assert.deepStrictEqual(missing(shape, begun, ({ shape }) => shape.kind === "secret"), ["proxy.host"])
  })

  it("leaves values that it cannot parse to the server's validation", () => {
    const odd = { ...groupIn(empty), depth: "many", headers: "{no" }
    assert.deepInclude(valueOf(shape, odd), { depth: "many", headers: "{no" })
  })
})
