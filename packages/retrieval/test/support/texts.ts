/** Texts of every kind: prose, scripts with and without spaces, emoji, marks, control characters, halves of pairs. */
import { Arbitrary, Schema } from "effect"

const PIECES = [
  "a",
  "Ada",
  "plans",
  "meeting",
  "B2",
  " ",
  "  ",
  "\n",
  "\r\n",
  "\n\n",
  ". ",
  "! ",
  "...",
  "Dr. ",
  "e.g. ",
  "\"",
  "(",
  ")",
  "é",
  "e\u0301",
  "\u0301",
  "\u0301\u0323",
  "\u200d",
  "\ufe0f",
  "👍🏽",
  "👨‍👩‍👧",
  "🇩🇪",
  "🇫🇷",
  "🏽",
  "漢字",
  "会議。",
  "ไทย",
  "한국",
  "ᄒ",
  "ᅡ",
  "की",
  "\ud83d",
  "\ude00",
  "\u0000",
  "\u00a0",
  "ABC-123",
  "src/main.ts",
  "x".repeat(70),
  "ß",
  "İ",
  "-",
  "_",
  "/"
] as const

const join = (pieces: ReadonlyArray<string>) => pieces.join("")

/** Queries that a reader could have typed, and others. */
export const Text = Arbitrary.map(Arbitrary.array(Arbitrary.schema(Schema.Literals(PIECES)), { maxLength: 120 }), join)

/** The same, some two thousand characters long. */
export const LongText = Arbitrary.map(
  Arbitrary.all([Text, Text, Text, Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })))]),
  ([first, second, third, times]) => first.repeat(times) + second + third.repeat(times)
)
