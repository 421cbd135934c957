import { answererContract } from "@tributary/contract/PartsContract"
import type { EvidenceSource, Outcome, Statement } from "@tributary/core/ports/Answerer"
import type { Passage } from "@tributary/core/ports/DocumentStore"
import { cutChunks, parseQuery } from "@tributary/retrieval"
import { Effect, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { make, type Options } from "../src/ExtractiveAnswerer.ts"
import { questionOf } from "./support/evidence.ts"

/** One document, of which every passage is found. */
const sourceOf = (text: string, query: string): EvidenceSource => {
  let start = 0
  const passages = cutChunks(text).map((chunk, ordinal): Passage => {
    const passage = {
      document_id: "0199a000-0000-7000-8000-000000000001",
      change_seq: 1,
      ordinal,
      document: { document_id: "0199a000-0000-7000-8000-000000000001", title: "Guide" },
      text: chunk,
      start,
      payload: null
    }
    start += chunk.length
    // What the answerer does not look at is left out.
    return passage as unknown as Passage
  })
  const read = parseQuery(query)
  const idf = new Map([...read.weights.keys()].map((term) => [term, 1]))
  return {
    search: () =>
      Effect.succeed({
        passages: passages.map((passage) => ({ ...passage, score: 1, headings: [], context: "" })),
        query: read,
        idf,
        passageCount: passages.length,
        truncated: false
      }),
    read: (refs) => Effect.succeed(passages.filter(({ ordinal }) => refs.some((ref) => ref.ordinal === ordinal)))
  }
}

const ask = async (text: string, query: string, options: Options = { threshold: 0 }) => {
  const answer = make(options).answer(questionOf(query), sourceOf(text, query))
  const events = await Effect.runPromise(Stream.runCollect(answer))
  const statements = events.filter((one): one is Statement => one._tag === "Statement")
  return { statements, outcome: events.at(-1) as Outcome, quotes: statements.flatMap(({ quotes }) => quotes) }
}

const FILLER = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} is about something else altogether, at length.`)

answererContract("that quotes", make())

describe("the answerer without a model", () => {
  it("quotes a whole paragraph even if a passage ends within it", async () => {
    const whole = `${"The lamps are many. ".repeat(28)}The oldest lighthouse was built in 1843 by the harbour guild.`
    const text = ["Intro.", whole, ...FILLER].join("\n\n")
    const { statements } = await ask(text, "When was the oldest lighthouse built?")
    assert.include(statements[0]!.text, whole)
  })

  it("includes the header before a table row, and the introducing line before a list item", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, at) => `| gauge-${at} | ${2000 + at} | Read every morning by the river. |`
    )
    const table = await ask(`| Name | Height | Note |\n| --- | --- | --- |\n${rows.join("\n")}`, "height of gauge-41")
    assert.match(table.statements[0]!.text, /^\| Name \| Height \| Note \|\n/)
    assert.include(table.statements[0]!.text, "| gauge-41 | 2041 |")
    const items = Array.from(
      { length: 40 },
      (_, at) => `- Rule ${at} is long enough to stand alone in this list of ours.`
    )
    const list = await ask(
      `On the pier it is forbidden:\n\n${items.join("\n")}\n- To feed the gulls.`,
      "feed the gulls"
    )
    assert.match(list.statements[0]!.text, /^On the pier it is forbidden:[^]*feed the gulls/)
  })

  it("claims nothing below its threshold, and relates the closest passages", async () => {
    const text = ["The pier is closed in winter.", ...FILLER].join("\n\n")
    const certain = await ask(text, "When is the pier closed?", { threshold: 0 })
    assert.isAbove(certain.statements.length, 0)
    assert.deepStrictEqual(certain.outcome.related, [])
    const never = await ask(text, "When is the pier closed?", { threshold: 1 })
    assert.deepStrictEqual(never.statements, [])
    const [closest] = never.outcome.related
    assert.include(text.slice(closest!.start, closest!.end), "The pier is closed in winter.")
    assert.isAtMost(never.outcome.related.length, 5)
  })

  it("begins with the paragraph that shares a word with the question, or with what was found without any", async () => {
    const text = [...FILLER, "The pier is closed in winter."].join("\n\n")
    const closestTo = async (query: string) => {
      const { outcome } = await ask(text, query, { threshold: 1 })
      return outcome.related.map(({ end, start }) => text.slice(start, end))
    }
    assert.deepStrictEqual(await closestTo("a zebra on the pier"), ["The pier is closed in winter."])
    assert.include((await closestTo("zebra crossing"))[0], FILLER[0]!)
  })

  it("quotes a text once, even if two chapters have it", async () => {
    const chapter = ["The pier is closed in winter.", ...FILLER].join("\n\n")
    const { outcome } = await ask(`${chapter}\n\n${chapter}`, "When is the pier closed?", { threshold: 1 })
    const quotes = outcome.related.map(({ end, start }) => `${chapter}\n\n${chapter}`.slice(start, end))
    assert.strictEqual(quotes.filter((quote) => quote.includes("The pier is closed in winter.")).length, 1)
  })

  it("quotes no stretch of text twice", async () => {
    const text = Array.from({ length: 30 }, (_, at) => `The pier ${at} is closed.`).join("\n\n")
    const { quotes } = await ask(text, "pier closed")
    const inOrder = [...quotes].sort((one, other) => one.start - other.start)
    assert.isTrue(inOrder.every(({ start }, at) => at === 0 || inOrder[at - 1]!.end <= start))
  })
})
