import { assert, describe, it } from "@effect/vitest"
import { composeAnswer } from "../src/extractive/composeAnswer.ts"
import { MOST_LISTING } from "../src/extractive/countListed.ts"
import { extractAnswer, type Passage } from "../src/extractive/extractAnswer.ts"

const NOW = new Date("2026-03-10T09:00:00Z")

const tell = (query: string, passages: ReadonlyArray<Pick<Passage, "text" | "title"> & Partial<Passage>>) => {
  const asked = { query, now: NOW, timezone: "UTC", idf: new Map() }
  const read = passages.map((passage) => ({ timestamp: NOW, document: "one", at: 0, ...passage }))
  const extract = extractAnswer(asked, read)
  return { ...extract, told: composeAnswer(asked, extract, read) }
}

const LOG = `Newest last.

- 12 January 2026: Needlestick injury, Noor.
- 9 February 2026: A patient fell.
- 16 February 2026: Needlestick injury, Yusuf.
- 4 March 2026: The wrong name was called.`

const TABLE = `| Date | What happened |
| --- | --- |
| 8 January | Mail delayed |
| 22 January | Failover |
| 3 March | Mail delayed |`

const LINES = `Since January:
2026-01-12 Incident: database down
2026-02-09 Incident: cache lost
2026-02-16 Maintenance of the router
2026-02-20 Incident: login broken`

const log = [{ title: "Incident log", text: LOG }]

describe("what one document lists", () => {
  it("is counted where its title says what it lists, each entry cited", () => {
    const { sentences, told } = tell("How many incidents were there in February?", log)
    assert.strictEqual(
      told,
      "2 entries match \"incidents\" and \"February\". Incident log, 10 March 2026: 9 February 2026: A patient fell. [1] " +
        "16 February 2026: Needlestick injury, Yusuf. [2]"
    )
    assert.deepStrictEqual(sentences.map(({ end, start }) => LOG.slice(start, end)), [
      "9 February 2026: A patient fell.",
      "16 February 2026: Needlestick injury, Yusuf."
    ])
  })

  it("is counted by what the entries say, in a list or in a table", () => {
    assert.match(tell("How many needlestick injuries were there this year?", log).told, /^2 entries match/)
    const table = [{ title: "Incidents", text: TABLE }]
    assert.match(tell("How many times was mail delayed?", table).told, /^2 entries match/)
    assert.match(tell("How often was mail delayed in March?", table).told, /^1 entry matches/)
  })

  it("is counted line by line where the lines begin with dates", () => {
    for (const title of ["Log", "Incident log"]) {
      const { sentences, told } = tell("How many incidents were there in February?", [{ title, text: LINES }])
      assert.match(told, /^2 entries match/)
      assert.deepStrictEqual(sentences.map(({ end, start }) => LINES.slice(start, end)), [
        "2026-02-09 Incident: cache lost",
        "2026-02-20 Incident: login broken"
      ])
    }
  })

  it("is not counted when nothing in it is of that time, or of that kind", () => {
    for (
      const question of [
        "How many incidents were there in April?",
        "How many needlestick injuries were there in 2024?",
        "How many fires were there in February?",
        "How many patients were there in March?"
      ]
    ) assert.strictEqual(tell(question, log).told, "", question)
  })

  it("goes on in the passages that come after, and is a least number where not all of it was read", () => {
    const lines = Array.from({ length: MOST_LISTING + 6 }, (_, at) => `- Case ${at}: a fall\n`)
    const parts = lines.map((text, at) => ({
      title: "Falls",
      text,
      at: lines.slice(0, at).join("").length,
      isRest: at > 0
    }))
    const some = tell("How many falls were there?", parts.slice(0, 5))
    assert.match(some.told, /^5 entries match/)
    assert.deepStrictEqual(some.sentences.map(({ passage }) => passage), [0, 1, 2, 3, 4])
    const many = tell("How many falls were there?", parts)
    assert.match(many.told, /^At least 30 entries match/)
    assert.lengthOf(many.sentences, 10)
  })
})
