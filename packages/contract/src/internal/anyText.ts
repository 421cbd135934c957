/** Text and metadata that a backend is tempted to change. */
import { isStorable } from "@tributary/core/model/Text"
import { Arbitrary, Schema } from "effect"

const AWKWARD = [
  "😀",
  "👩‍👩‍👧",
  "שלום",
  "\u202e",
  "e\u0301",
  "é",
  "'",
  "\"",
  "\\",
  "\\u0000",
  "\r\n",
  "\u0001",
  "\u007f",
  "\ufeff",
  "\ufeff\ufffd",
  "%_",
  "${x}",
  "{a,NULL}",
  "null",
  "__proto__",
  "constructor",
  " ",
  "\uffff",
  "\u{10ffff}"
] as const

const pieces = Schema.Array(Schema.Union([Schema.Literals(AWKWARD), Schema.String.check(Schema.isMaxLength(8))]))
  .check(Schema.isMaxLength(6))

export const anyText: Arbitrary.Arbitrary<string> = Arbitrary.filter(
  Arbitrary.map(Arbitrary.schema(pieces), (pieces) => pieces.join("")),
  isStorable
)

export const anyMetadata: Arbitrary.Arbitrary<Record<string, string>> = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([anyText, anyText])),
  (entries) => Object.fromEntries(entries.map(([key, value]) => [key === "" ? "__proto__" : key, value]))
)

/** Moments that clients may state: the years 1 to 9999, to the millisecond. */
export const anyMoment: Arbitrary.Arbitrary<Date> = Arbitrary.schema(
  Schema.Union([
    Schema.Literals([
      "0001-01-01T00:00:00.000Z",
      "0099-12-31T23:59:59.999Z",
      "1899-12-31T23:59:59.999Z",
      "1969-12-31T23:59:59.999Z",
      "2026-03-29T01:30:00.001Z",
      "9999-12-31T23:59:59.999Z"
    ]),
    Schema.Int.check(Schema.isBetween({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 }))
  ])
).pipe(Arbitrary.map((value) => new Date(value)))
