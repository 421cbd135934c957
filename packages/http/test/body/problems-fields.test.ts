// The problems of a body, as in the validation decisions, section 4: one row, one case.
import { assert, describe, it } from "@effect/vitest"
import { AskRequest } from "@tributary/core/model/Ask"
import { ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import { Email } from "@tributary/core/model/Email"
import { JsonItems, TextItems, typedItemsOf } from "@tributary/core/model/Ingest"
import { BUILT_IN_KINDS } from "@tributary/core/model/KindCatalogue"
import { KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { SearchRequest } from "@tributary/core/model/Search"
import { Schema } from "effect"
import { EXTRA, LEFT_OUT, lenient, missing, OBJECT, problem, problemsOf } from "../support/problems.ts"

describe("4 Strings, booleans, arrays, maps", () => {
  const STRING = "Input should be a valid string"
  const UNICODE = "Input should be a valid string, unable to parse raw data as a unicode string"
  const long = "😀".repeat(256)

  it.each(["1", "true", "[]", "{}"])("string expected, got %s", (value) => {
    assert.deepStrictEqual(problemsOf(NewConnector, `{"name":${value},"source_name":"s"}`), [
      problem(["body", "name"], "string_type", STRING, JSON.parse(value))
    ])
  })

  it.each(
    [
      ["", ["string_too_short", "String should have at least 1 character", { min_length: 1 }]],
      [" \t ", ["string_too_short", "String should have at least 1 character", { min_length: 1 }]],
      [long, ["string_too_long", "String should have at most 255 characters", { max_length: 255 }]]
    ] as const
  )("name %j", (name, [type, msg, ctx]) => {
    assert.deepStrictEqual(problemsOf(NewConnector, JSON.stringify({ name, source_name: "s" })), [
      problem(["body", "name"], type, msg, name, ctx)
    ])
  })

  it("255 emoji are 255 characters", () => {
    assert.deepStrictEqual(problemsOf(NewConnector, JSON.stringify({ name: "😀".repeat(255), source_name: "s" })), [])
  })

  it("pattern", () => {
    const pattern = "^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
    for (const source_name of ["A", "a--b", "a b", "-a"]) {
      assert.deepStrictEqual(problemsOf(NewConnector, JSON.stringify({ name: "n", source_name })), [
        problem(
          ["body", "source_name"],
          "string_pattern_mismatch",
          `String should match pattern '${pattern}'`,
          source_name,
          { pattern }
        )
      ])
    }
  })

  it("ten million characters of a source name or an address are too many, and that is all", () => {
    for (const piece of ["a-", "aa"]) {
      const long = `${piece.repeat(5_000_000)}\u2620`
      assert.deepStrictEqual(problemsOf(NewConnector, JSON.stringify({ name: "n", source_name: long })), [
        problem(["body", "source_name"], "string_too_long", "String should have at most 64 characters", LEFT_OUT, {
          max_length: 64
        })
      ])
      assert.deepStrictEqual(problemsOf(Schema.Struct({ email: Email }), JSON.stringify({ email: `${long}@x` })), [
        problem(["body", "email"], "string_too_long", "String should have at most 320 characters", LEFT_OUT, {
          max_length: 320
        })
      ])
    }
  })

  it("an empty source name is too short, and that is all", () => {
    assert.deepStrictEqual(problemsOf(NewConnector, "{\"name\":\"n\",\"source_name\":\"\"}"), [
      problem(
        ["body", "source_name"],
        "string_too_short",
        "String should have at least 1 character",
        "",
        { min_length: 1 }
      )
    ])
  })

  it.each(["\\ud800", "a\\udc00", "\\u0000"])("%s: string_unicode, without input", (text) => {
    assert.deepStrictEqual(problemsOf(NewConnector, `{"name":"${text}","source_name":"s"}`), [
      problem(["body", "name"], "string_unicode", UNICODE, LEFT_OUT)
    ])
  })

  it.each(["1", "0", "\"true\"", "[]"])("boolean expected, got %s", (value) => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, `{"is_active":${value}}`, lenient), [
      problem(["body", "is_active"], "bool_type", "Input should be a valid boolean", JSON.parse(value))
    ])
  })

  it.each(["\"x\"", "{}", "5"])("array expected, got %s", (value) => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, `{"accepted_kinds":${value}}`, lenient), [
      problem(["body", "accepted_kinds"], "list_type", "Input should be a valid list", JSON.parse(value))
    ])
  })

  it("an element of an array is named by its index", () => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, "{\"accepted_kinds\":[\"a\",5]}", lenient), [
      problem(["body", "accepted_kinds", 1], "string_type", STRING, 5)
    ])
  })

  it("too few and too many", () => {
    assert.deepStrictEqual(problemsOf(JsonItems, "{\"items\":[]}"), [
      problem(
        ["body", "items"],
        "too_short",
        "List should have at least 1 item after validation, not 0",
        [],
        { field_type: "List", min_length: 1, actual_length: 0 }
      )
    ])
    assert.deepStrictEqual(
      problemsOf(JsonItems, JSON.stringify({ items: Array.from({ length: 1_001 }, () => 7), x: 1 })),
      [
        problem(
          ["body", "items"],
          "too_long",
          "List should have at most 1000 items after validation, not 1001",
          LEFT_OUT,
          { field_type: "List", max_length: 1_000, actual_length: 1_001 }
        ),
        problem(["body", "x"], "extra_forbidden", EXTRA, 1)
      ]
    )
  })

  it("too many comes first and alone, in the order of the fields", () => {
    const accepted_kinds = Array.from({ length: 51 }, () => 5)
    assert.deepStrictEqual(problemsOf(NewConnector, JSON.stringify({ accepted_kinds, name: "", metadata: 5 })), [
      problem(
        ["body", "name"],
        "string_too_short",
        "String should have at least 1 character",
        "",
        { min_length: 1 }
      ),
      missing(["body", "source_name"], { accepted_kinds, name: "", metadata: 5 }),
      problem(
        ["body", "accepted_kinds"],
        "too_long",
        "List should have at most 50 items after validation, not 51",
        accepted_kinds,
        { field_type: "List", max_length: 50, actual_length: 51 }
      ),
      problem(["body", "metadata"], "dict_type", "Input should be a valid dictionary", 5)
    ])
  })

  it.each(["\"x\"", "[]", "5"])("object with string values expected, got %s", (value) => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, `{"metadata":${value}}`, lenient), [
      problem(["body", "metadata"], "dict_type", "Input should be a valid dictionary", JSON.parse(value))
    ])
  })

  it("a value that is no string, also null", () => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, "{\"metadata\":{\"a\":null,\"b\":1,\"__proto__\":2}}", lenient), [
      problem(["body", "metadata", "a"], "string_type", STRING, null),
      problem(["body", "metadata", "b"], "string_type", STRING, 1),
      problem(["body", "metadata", "__proto__"], "string_type", STRING, 2)
    ])
  })

  it("a bad key, with the literal element [key]", () => {
    const key = "k".repeat(129)
    assert.deepStrictEqual(problemsOf(ConnectorPatch, JSON.stringify({ metadata: { "": "x", [key]: "y" } }), lenient), [
      problem(
        ["body", "metadata", "", "[key]"],
        "string_too_short",
        "String should have at least 1 character",
        "",
        { min_length: 1 }
      ),
      problem(
        ["body", "metadata", key, "[key]"],
        "string_too_long",
        "String should have at most 128 characters",
        key,
        { max_length: 128 }
      )
    ])
  })

  it("too many keys", () => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 5]))
    assert.deepStrictEqual(problemsOf(ConnectorPatch, JSON.stringify({ metadata }), lenient), [
      problem(
        ["body", "metadata"],
        "too_long",
        "Dictionary should have at most 50 items after validation, not 51",
        metadata,
        { field_type: "Dictionary", max_length: 50, actual_length: 51 }
      )
    ])
    const [detail] = problemsOf(SearchRequest, JSON.stringify({ q: "a", metadata }))
    assert.deepStrictEqual(detail?.["ctx"], { field_type: "Dictionary", max_length: 20, actual_length: 51 })
  })

  it.each(["\"x\"", "5"])("one of several strings, got %s", (value) => {
    const expected = "'text/plain', 'text/markdown' or 'text/html'"
    assert.deepStrictEqual(problemsOf(TextItems, `{"items":[{"text":"t","content_type":${value}}]}`), [
      problem(
        ["body", "items", 0, "content_type"],
        "literal_error",
        `Input should be ${expected}`,
        JSON.parse(value),
        { expected }
      )
    ])
  })

  it.each([
    ["\"\"", "url_parsing", "Input should be a valid URL, input is empty", { error: "input is empty" }],
    [
      "\"/a\"",
      "url_parsing",
      "Input should be a valid URL, relative URL without a base",
      { error: "relative URL without a base" }
    ],
    ["\"http://\"", "url_parsing", "Input should be a valid URL, empty host", { error: "empty host" }],
    [
      "\"http://a:99999/b\"",
      "url_parsing",
      "Input should be a valid URL, invalid port number",
      { error: "invalid port number" }
    ],
    [
      "\"https://[::1]:-1\"",
      "url_parsing",
      "Input should be a valid URL, invalid port number",
      { error: "invalid port number" }
    ],
    [
      "\"http://a:b\"",
      "url_parsing",
      "Input should be a valid URL, invalid port number",
      { error: "invalid port number" }
    ],
    [
      "\"http://a b/\"",
      "url_parsing",
      "Input should be a valid URL, invalid international domain name",
      { error: "invalid international domain name" }
    ],
    [
      "\"ftp://a\"",
      "url_scheme",
      "URL scheme should be 'http' or 'https'",
      { expected_schemes: "'http' or 'https'" }
    ],
    ["5", "url_type", "URL input should be a string or URL", undefined]
  ])("absolute URL, got %s", (url, type, msg, ctx) => {
    assert.deepStrictEqual(problemsOf(TextItems, `{"items":[{"text":"t","url":${url}}]}`), [
      problem(["body", "items", 0, "url"], type, msg, JSON.parse(url), ctx)
    ])
  })

  it("a URL of more than 2,048 characters", () => {
    const url = `https://example.com/${"a".repeat(2_048)}`
    assert.deepStrictEqual(problemsOf(TextItems, JSON.stringify({ items: [{ text: "t", url }] })), [
      problem(
        ["body", "items", 0, "url"],
        "url_too_long",
        "URL should have at most 2048 characters",
        LEFT_OUT,
        { max_length: 2_048 }
      )
    ])
  })

  it.each([
    ["\"2025-01-01\"", "timezone_aware", "Input should have timezone info", undefined],
    ["\"2025-01-01T10:00:00\"", "timezone_aware", "Input should have timezone info", undefined],
    [
      "\"x\"",
      "datetime_from_date_parsing",
      "Input should be a valid datetime or date, input is too short",
      { error: "input is too short" }
    ],
    [
      "\"0001-01-01T00:00:00+01:00\"",
      "datetime_from_date_parsing",
      "Input should be a valid datetime or date, year 0 is out of range",
      { error: "year 0 is out of range" }
    ],
    [
      "\"9999-12-31T23:59:59-01:00\"",
      "datetime_from_date_parsing",
      "Input should be a valid datetime or date, year 10000 is out of range",
      { error: "year 10000 is out of range" }
    ],
    ["1735689600", "datetime_type", "Input should be a valid datetime", undefined],
    ["true", "datetime_type", "Input should be a valid datetime", undefined]
  ])("date-time with offset, got %s", (value, type, msg, ctx) => {
    assert.deepStrictEqual(problemsOf(JsonItems, `{"items":[{"data":1,"timestamp":${value}}]}`), [
      problem(["body", "items", 0, "timestamp"], type, msg, JSON.parse(value), ctx)
    ])
  })

  it.each(["2025-01-01T24:00:00Z", "2025-01-01T00:00:60Z"])("%s is refused", (timestamp) => {
    assert.strictEqual(problemsOf(JsonItems, JSON.stringify({ items: [{ data: 1, timestamp }] })).length, 1)
  })

  it("a number beyond all bounds within data", () => {
    assert.deepStrictEqual(problemsOf(JsonItems, "{\"items\":[{\"data\":1e400}]}"), [
      problem(["body", "items", 0, "data"], "finite_number", "Input should be a finite number", LEFT_OUT)
    ])
  })

  it("an unknown time zone", () => {
    assert.deepStrictEqual(problemsOf(AskRequest, "{\"query\":\"q\",\"timezone\":\"Mars/Olympus\"}"), [
      problem(["body", "timezone"], "value_error", "Value error, not a known IANA time zone", "Mars/Olympus")
    ])
  })

  it("unknown keys of a connector are ignored, and null changes nothing", () => {
    assert.deepStrictEqual(problemsOf(ConnectorPatch, "{\"x\":1,\"name\":null,\"metadata\":null}", lenient), [])
  })
})

describe("4 Typed payloads", () => {
  const typed = (payload: unknown) =>
    problemsOf(
      typedItemsOf(BUILT_IN_KINDS),
      JSON.stringify({ items: [{ external_id: "a", timestamp: "2025-01-01T00:00:00Z", payload }] })
    )
  const P = ["body", "items", 0, "payload"]

  it("a field of a payload, without the kind in its place", () => {
    assert.deepStrictEqual(typed({ kind: "email", subject: 5, to: ["a", 6] }), [
      problem([...P, "subject"], "string_type", "Input should be a valid string", 5),
      problem([...P, "to", 1], "string_type", "Input should be a valid string", 6)
    ])
  })

  it("an end before the start", () => {
    const payload = { kind: "calendar", start: "2025-01-02T00:00:00Z", end: "2025-01-01T00:00:00Z" }
    assert.deepStrictEqual(typed(payload), [
      problem([...P, "end"], "value_error", "Value error, must not be before start", payload.end)
    ])
  })

  it("a kind outside the catalogue, of any type", () => {
    const expected = "'email', 'page', 'message', 'calendar', 'issue' or 'custom'"
    for (const kind of ["memo", 5, null, "__proto__"]) {
      assert.deepStrictEqual(typed({ kind }), [
        problem([...P, "kind"], "literal_error", `Input should be ${expected}`, kind, { expected })
      ])
    }
  })

  it("no kind", () => assert.deepStrictEqual(typed({ a: 1 }), [missing([...P, "kind"], { a: 1 })]))

  it("no object", () => {
    for (const payload of [null, 5, "x", []]) {
      assert.deepStrictEqual(typed(payload), [problem(P, "model_attributes_type", OBJECT, payload)])
    }
  })

  it("unknown fields of a payload are kept, those of an item refused", () => {
    assert.deepStrictEqual(typed({ kind: "page", anything: { goes: [1] } }), [])
    assert.deepStrictEqual(problemsOf(JsonItems, "{\"items\":[{\"data\":1,\"x\":2}]}"), [
      problem(["body", "items", 0, "x"], "extra_forbidden", EXTRA, 2)
    ])
  })
})

describe("What a hostile body costs", () => {
  it("reports at most some hundreds of problems", () => {
    const items = Array.from({ length: 1_000 }, () => ({}))
    assert.strictEqual(problemsOf(JsonItems, JSON.stringify({ items })).length, 500)
  })

  it("does not check the items of a list that is too long", () => {
    const body = `{"items":[${"1,".repeat(900_000)}1]}`
    const [detail, ...others] = problemsOf(JsonItems, body)
    assert.deepStrictEqual([detail?.["type"], others], ["too_long", []])
  })

  it("does not check hundreds of thousands of unknown keys", () => {
    const keys = Array.from({ length: 900 }, (_, index) => `"${index}":1`).join(",")
    const body = `{"items":[${Array.from({ length: 999 }, () => `{"data":1,${keys}}`).join(",")}]}`
    assert.strictEqual(problemsOf(JsonItems, body).length, 500)
  })

  it("does not check many thousands of wrong recipients", () => {
    const payload = { kind: "email", to: Array.from({ length: 90_000 }, () => 1) }
    const body = JSON.stringify({ items: [{ external_id: "a", timestamp: "2025-01-01T00:00:00Z", payload }] })
    assert.strictEqual(problemsOf(typedItemsOf(BUILT_IN_KINDS), body).length, 100)
  })

  it("truncates invented names", () => {
    const [detail] = problemsOf(KnowledgeSettingsPatch, JSON.stringify({ ["k".repeat(100_000)]: 1 }))
    assert.isBelow(JSON.stringify(detail).length, 2_000)
  })
})
