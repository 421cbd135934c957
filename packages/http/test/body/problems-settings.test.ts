// The problems of a body, as in the validation decisions, sections 1 to 3: one row, one case.
import { assert, describe, it } from "@effect/vitest"
import { NewConnector } from "@tributary/core/model/Connector"
import { JsonItems, TextItems, typedItemsOf } from "@tributary/core/model/Ingest"
import { BUILT_IN_KINDS } from "@tributary/core/model/KindCatalogue"
import { KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { EXTRA, LEFT_OUT, missing, OBJECT, type Problem, problem, problemsOf } from "../support/problems.ts"

const T = ["body", "temporal_settings"]
const S = [...T, "start"]

const settings = (start: string) => `{"temporal_settings":{"start":${start},"end":null}}`

describe("1 Structure", () => {
  const rows: ReadonlyArray<readonly [name: string, body: string, expected: ReadonlyArray<Problem>]> = [
    ["row 1: nothing to change", "{}", []],
    ["row 1: null", "{\"temporal_settings\":null}", []],
    ["row 2: key missing", "{\"temporal_settings\":{\"end\":null}}", [missing(S, { end: null })]],
    ["row 3: both missing", "{\"temporal_settings\":{}}", [missing(S, {}), missing([...T, "end"], {})]],
    [
      "row 4: unknown keys at every level, after the fields",
      "{\"x\":1,\"temporal_settings\":{\"x\":[2],\"start\":{\"x\":null,\"type\":\"relative\",\"days\":0},\"end\":null}}",
      [
        problem(
          [...S, "relative", "days"],
          "greater_than_equal",
          "Input should be greater than or equal to 1",
          0,
          { ge: 1 }
        ),
        problem([...S, "relative", "x"], "extra_forbidden", EXTRA, null),
        problem([...T, "x"], "extra_forbidden", EXTRA, [2]),
        problem(["body", "x"], "extra_forbidden", EXTRA, 1)
      ]
    ],
    [
      "row 5: date with type relative",
      settings("{\"type\":\"relative\",\"days\":1,\"date\":\"2025-01-01\"}"),
      [problem([...S, "relative", "date"], "extra_forbidden", EXTRA, "2025-01-01")]
    ],
    ...["\"x\"", "5", "true", "[]"].map((value) =>
      [
        `row 6: temporal_settings ${value}`,
        `{"temporal_settings":${value}}`,
        [problem(T, "model_attributes_type", OBJECT, JSON.parse(value))]
      ] as const
    ),
    ...["\"x\"", "5", "true", "[]"].map((value) =>
      [
        `row 7: bound ${value}`,
        settings(value),
        [problem(S, "model_attributes_type", OBJECT, JSON.parse(value))]
      ] as const
    ),
    ...["{\"days\":5}", "{}"].map((value) =>
      [
        `row 9: no discriminator ${value}`,
        settings(value),
        [
          problem(
            S,
            "union_tag_not_found",
            "Unable to extract tag using discriminator 'type'",
            JSON.parse(value),
            { discriminator: "'type'" }
          )
        ]
      ] as const
    ),
    ...[
      ["\"abs\"", "abs"],
      ["\"Relative\"", "Relative"],
      ["5", "5"],
      ["true", "true"],
      ["null", "null"],
      ["[]", "[]"],
      ["{\"a\":\"b\"}", "{\"a\":\"b\"}"]
    ].map(([value, tag]) =>
      [
        `rows 10, 11: discriminator ${value}`,
        settings(`{"type":${value}}`),
        [
          problem(
            S,
            "union_tag_invalid",
            `Input tag '${tag}' found using 'type' does not match any of the expected tags: 'relative', 'date'`,
            { type: JSON.parse(value!) },
            { discriminator: "'type'", tag, expected_tags: "'relative', 'date'" }
          )
        ]
      ] as const
    ),
    [
      "row 13: __proto__ is an unknown key",
      "{\"__proto__\":{\"a\":1},\"constructor\":2,\"toString\":3}",
      [
        problem(["body", "__proto__"], "extra_forbidden", EXTRA, { a: 1 }),
        problem(["body", "constructor"], "extra_forbidden", EXTRA, 2),
        problem(["body", "toString"], "extra_forbidden", EXTRA, 3)
      ]
    ],
    ["row 14: the last of duplicate keys counts", settings("{\"type\":\"relative\",\"days\":0,\"days\":5}"), []]
  ]
  it.each(rows)("%s", (_, body, expected) => assert.deepStrictEqual(problemsOf(KnowledgeSettingsPatch, body), expected))

  it.each(["null", "5", "\"x\"", "[]"])("row 8: item %s", (item) => {
    assert.deepStrictEqual(problemsOf(JsonItems, `{"items":[{"data":1},${item}]}`), [
      problem(["body", "items", 1], "model_attributes_type", OBJECT, JSON.parse(item))
    ])
  })

  it.each(
    [
      [
        NewConnector,
        "{\"name\":null,\"source_name\":\"s\"}",
        ["body", "name"],
        "string_type",
        "Input should be a valid string"
      ],
      [TextItems, "{\"items\":null}", ["body", "items"], "list_type", "Input should be a valid list"],
      [
        typedItemsOf(BUILT_IN_KINDS),
        "{\"items\":[{\"external_id\":\"a\",\"timestamp\":null,\"payload\":{\"kind\":\"custom\"}}]}",
        ["body", "items", 0, "timestamp"],
        "datetime_type",
        "Input should be a valid datetime"
      ]
    ] as const
  )("row 12: null where it is not allowed", (schema, body, loc, type, msg) => {
    assert.deepStrictEqual(problemsOf(schema, body), [problem(loc, type, msg, null)])
  })

  it.each(["[]", "\"x\"", "5", "true"])("5: the whole body is %s", (body) => {
    assert.deepStrictEqual(problemsOf(KnowledgeSettingsPatch, body), [
      problem(["body"], "model_attributes_type", OBJECT, JSON.parse(body))
    ])
  })

  it.each(["", "null"])("5: the body is empty (%j)", (body) => {
    assert.deepStrictEqual(problemsOf(KnowledgeSettingsPatch, body), [missing(["body"], null)])
  })
})

describe("2 Integers", () => {
  const days = (text: string) => problemsOf(KnowledgeSettingsPatch, settings(`{"type":"relative","days":${text}}`))
  const D = [...S, "relative", "days"]
  const ge = ["greater_than_equal", "Input should be greater than or equal to 1", { ge: 1 }] as const
  const le = ["less_than_equal", "Input should be less than or equal to 36500", { le: 36_500 }] as const
  const whole = ["int_from_float", "Input should be a valid integer, got a number with a fractional part"] as const
  const type = ["int_type", "Input should be a valid integer"] as const
  const finite = ["finite_number", "Input should be a finite number"] as const

  it.each(["1", "36500", "5.0", "5e0", "1E3"])("%s is accepted", (text) => assert.deepStrictEqual(days(text), []))

  it.each([
    ["0", ...ge],
    ["-1", ...ge],
    ["-0", ...ge],
    ["-9007199254740993", ...ge],
    ["36501", ...le],
    ["36501.0", ...le],
    ["9007199254740993", ...le],
    ["100000000000000000000", ...le],
    ["1e308", ...le],
    ["1.5", ...whole],
    ["-1.5", ...whole],
    ["0.5", ...whole],
    ["36500.5", ...whole],
    ["1e400", ...finite],
    ["1".repeat(4_301), ...finite],
    ["\"5\"", ...type],
    ["\"5.0\"", ...type],
    ["\"x\"", ...type],
    ["\"\"", ...type],
    ["true", ...type],
    ["false", ...type],
    ["null", ...type],
    ["[]", ...type],
    ["{}", ...type]
  ])("%s", (text, type, msg, ctx?: unknown) => {
    const input: unknown = JSON.parse(text)
    assert.deepStrictEqual(days(text), [problem(D, type, msg, input === Infinity ? LEFT_OUT : input, ctx)])
  })

  it("key missing", () => {
    assert.deepStrictEqual(problemsOf(KnowledgeSettingsPatch, settings("{\"type\":\"relative\"}")), [
      missing(D, { type: "relative" })
    ])
  })
})

describe("3 Calendar date", () => {
  const date = (text: string) => problemsOf(KnowledgeSettingsPatch, settings(`{"type":"date","date":${text}}`))
  const D = [...S, "date", "date"]
  const day = "day value is outside expected range"
  const month = "month value is outside expected range of 1-12"
  const short = "input is too short"
  const separator = "invalid date separator, expected `-`"
  const after = "unexpected extra characters at the end of the input"

  it.each(["2025-02-28", "2024-02-29", "0001-01-01", "9999-12-31"])("%s is accepted", (text) => {
    assert.deepStrictEqual(date(JSON.stringify(text)), [])
  })

  const dates: ReadonlyArray<readonly [string, string]> = [
    ...["2025-02-30", "2023-02-29", "1900-02-29", "2025-01-00", "2025-01-32", "2025-02-30T00:00:00Z"].map((t) =>
      [t, day] as const
    ),
    ...["2025-13-01", "2025-00-10"].map((t) => [t, month] as const),
    ...["", "x", "2025-1-1", "2025-001", "20250101"].map((t) => [t, short] as const),
    ...["2025/01/01", "10000-01-01", "1735689600", "12345678901"].map((t) => [t, separator] as const),
    ...[" 2025-01-01", "+2025-01-01", "-0001-01-01", "01.02.2025"].map((t) =>
      [t, "invalid character in year"] as const
    ),
    ["2025-W01-1", "invalid character in month"],
    ["2025-01-0a", "invalid character in day"],
    ["0000-01-01", "year 0 is out of range"],
    ...["2025-01-01T00:00:00Z", "2025-01-01T12:00:00Z", "2025-01-01Z", "2025-01-01+02:00", "2025-01-01 "]
      .map((t) => [t, after] as const)
  ]
  it.each(dates)("%j: %s", (text, error) => {
    const msg = `Input should be a valid date in the format YYYY-MM-DD, ${error}`
    assert.deepStrictEqual(date(JSON.stringify(text)), [problem(D, "date_parsing", msg, text, { error })])
  })

  it.each(["1735689600", "0", "1.5", "20250101", "null", "true", "[]", "{}"])("%s is no date", (text) => {
    assert.deepStrictEqual(date(text), [problem(D, "date_type", "Input should be a valid date", JSON.parse(text))])
  })

  it("key missing", () => {
    assert.deepStrictEqual(problemsOf(KnowledgeSettingsPatch, settings("{\"type\":\"date\"}")), [
      missing(D, { type: "date" })
    ])
  })
})
