import type { EvidencePassage, EvidenceSource } from "@tributary/core/ports/Answerer"
import { cutChunks, parseQuery } from "@tributary/retrieval"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { candidateUnits } from "../../src/evidence/candidateUnits.ts"
import { textOf } from "../../src/evidence/excerpts.ts"
import { evidenceOf } from "../support/evidence.ts"

/** The section around one passage of a text, which was found: the first that contains some words. */
const sectionAround = async (text: string, words: string) => {
  const [{ document, document_id }] = (await Effect.runPromise(evidenceOf([["Guide", ""]]).source.search("", 1)))
    .passages as readonly [EvidencePassage]
  let start = 0
  const passages = cutChunks(text).map((chunk, ordinal): EvidencePassage => {
    const passage = { document, document_id, ordinal, start, text: chunk, change_seq: 1, payload: null }
    start += chunk.length
    return { ...passage, score: 1, headings: [], context: "" }
  })
  const found = passages.filter((passage) => passage.text.includes(words)).slice(0, 1)
  const source: Pick<EvidenceSource, "read"> = {
    read: (refs) => Effect.succeed(passages.filter(({ ordinal }) => refs.some((ref) => ref.ordinal === ordinal)))
  }
  const evidence = { passages: found, query: parseQuery(words), idf: new Map(), passageCount: 1, truncated: false }
  const [candidate] = await Effect.runPromise(candidateUnits(evidence, source as EvidenceSource, found.length))
  return candidate!.section
}

const linesOf = (subject: string): string =>
  Array.from({ length: 8 }, (_, at) => `  line ${at} of what is said of ${subject} goes on in the next one`).join("\n")

const ITEMS = Array.from({ length: 12 }, (_, at) => `- The rule ${at} has many words,\n${linesOf(`rule ${at}`)}.`)

describe("the section around a passage that was found", () => {
  it("ends with a whole unit, though what is read ends within one", async () => {
    const section = await sectionAround(ITEMS.join("\n\n"), "rule 1 has")
    const last = section.units.at(-1)!
    assert.isBelow(last.end, section.text.trimEnd().length)
    assert.include(ITEMS, textOf(section, last))
  })

  it("has no item that is introduced by the rest of another one", async () => {
    const section = await sectionAround(ITEMS.join("\n\n"), "rule 6 has")
    assert.isFalse(section.text.startsWith("-"))
    assert.deepStrictEqual(section.units.flatMap(({ lead }) => lead ?? []), [])
  })
})
