import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { porter2 } from "../../src/text/porter2.ts"

const PAIRS: Readonly<Record<string, string>> = {
  caresses: "caress",
  ties: "tie",
  cries: "cri",
  gas: "gas",
  this: "this",
  gaps: "gap",
  kiwis: "kiwi",
  agreed: "agre",
  hopping: "hop",
  hoping: "hope",
  luxuriated: "luxuri",
  plastered: "plaster",
  bled: "bled",
  motoring: "motor",
  sing: "sing",
  happy: "happi",
  cry: "cri",
  by: "by",
  say: "say",
  relational: "relat",
  conditional: "condit",
  generalization: "general",
  generate: "generat",
  generically: "generic",
  communication: "communic",
  consistency: "consist",
  consolingly: "consol",
  knightly: "knight",
  knots: "knot",
  connections: "connect",
  connected: "connect",
  connecting: "connect",
  hopeful: "hope",
  hopefulness: "hope",
  goodness: "good",
  triplicate: "triplic",
  formative: "format",
  revival: "reviv",
  allowance: "allow",
  inference: "infer",
  adjustable: "adjust",
  replacement: "replac",
  adoption: "adopt",
  effective: "effect",
  probate: "probat",
  rate: "rate",
  cease: "ceas",
  controlling: "control",
  roll: "roll",
  skis: "ski",
  skies: "sky",
  dying: "die",
  news: "news",
  innings: "inning",
  exceeding: "exceed",
  succeed: "succeed",
  proceeds: "proceed",
  early: "earli",
  only: "onli",
  yellow: "yellow",
  youth: "youth",
  enjoying: "enjoy",
  analogy: "analog",
  biology: "biolog",
  meetings: "meet",
  meeting: "meet",
  running: "run",
  flies: "fli",
  flying: "fli",
  policies: "polici",
  policy: "polici"
}

describe("the stem of an English word", () => {
  it("equals the algorithm's published vocabulary", () => {
    for (const [word, stem] of Object.entries(PAIRS)) assert.strictEqual(porter2(word), stem, word)
  })

  it("does not change words of one or two letters", () => {
    for (const word of ["", "a", "s", "is", "as", "by", "ly"]) assert.strictEqual(porter2(word), word)
  })

  it.prop("is never empty, at most a letter longer than its word, and in lower case", [
    Schema.String.check(Schema.isPattern(/^[a-z]{1,20}$/))
  ], ([word]) => {
    const stem = porter2(word)
    assert.match(stem, /^[a-z]+$/)
    assert.isAtMost(stem.length, word.length + 1)
  }, { arbitrary: { runs: 1_000 } })
})
