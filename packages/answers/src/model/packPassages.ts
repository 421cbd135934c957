/** Packs what is found into the part of a prompt that a model may spend on passages: the likeliest first, of whole units. */
import type { EvidenceSource } from "@tributary/core/ports/Answerer"
import type { Span } from "@tributary/retrieval"
import { Effect } from "effect"
import type { Section } from "../evidence/candidateUnits.ts"
import { type Excerpt, excerptsOf, FILLED_GAP, includes, textOf } from "../evidence/excerpts.ts"
import { examine, type ScoredUnit } from "../evidence/scoredUnits.ts"

/** A stretch of a document that begins and ends with whole units. */
export interface PackedPassage extends Span {
  readonly section: Section
  readonly text: string
  readonly title: string
  readonly date: string
}

export interface Packed {
  readonly passages: ReadonlyArray<PackedPassage>
  readonly truncated: boolean
}

/** The number of passages considered, of which the best units are packed. */
export const PASSAGES = 200

const bytes = (text: string): number => new TextEncoder().encode(text).length

/**
 * Without a tokenizer this is an estimate: those in use have more than four bytes of English, German or French per
 * token, and three or more of other scripts.
 */
const tokensOf = (text: string): number => {
  const others = bytes(text.replace(/[\0-\x7f]+/g, ""))
  return (bytes(text) - others) / 4 + others / 3
}

/** The tags and the line breaks around a passage. */
const FRAME_TOKENS = 25

/** The best are read with what surrounds them, of the others as many as possible: so long is each, as a share of all. */
const LONG = { count: 8, share: 1 / 16 }
const SHORT_SHARE = 1 / 120

const titleOf = ({ section, start }: Excerpt): string => {
  const headings = section.units.find((unit) => unit.end > start)?.headings ?? []
  const above = headings.filter((heading) => heading.end <= start)
    .map((heading) => textOf(section, heading).replaceAll(/^[#\s]+|<[^<>]*>/g, "").trim())
  return [section.document.title ?? "", ...above].filter((part) => part !== "").join(" > ")
}

const packed = (excerpt: Excerpt): PackedPassage => {
  const { end, section, start } = excerpt
  return {
    section,
    start,
    end,
    text: textOf(section, excerpt),
    title: titleOf(excerpt),
    date: new Date(section.document.timestamp).toISOString().slice(0, 10)
  }
}

const costOf = ({ text, title }: PackedPassage): number => FRAME_TOKENS + tokensOf(title) + tokensOf(text)

/** As much of an excerpt, from its start, as there is room for: it may be most of a document. */
const fitting = (excerpt: Excerpt, room: number): PackedPassage | null => {
  const ends = excerpt.section.units.map(({ end }) => end).filter((end) => end > excerpt.start && end <= excerpt.end)
  for (const end of ends.toReversed()) {
    const passage = packed({ ...excerpt, end })
    if (costOf(passage) <= room) return passage
  }
  return null
}

export const packPassages = Effect.fnUntraced(function*(query: string, source: EvidenceSource, tokens: number) {
  const { evidence, units } = yield* examine(query, source, PASSAGES)
  const best = evidence.passages[0]?.text ?? ""
  // A letter has one byte in English and three in Japanese.
  const characters = tokens * Math.max(1, best.length) / Math.max(1, tokensOf(best))
  const excerpts = excerptsOf(units, {
    most: Infinity,
    longest: (step) => characters * (step < LONG.count ? LONG.share : SHORT_SHARE),
    gap: FILLED_GAP,
    total: characters,
    beginning: 0,
    enough: 1
  })
  const passages: Array<PackedPassage> = []
  let left = tokens
  for (const excerpt of excerpts) {
    // The best one is always included, whatever the budget.
    const passage = passages.length === 0 ? packed(excerpt) : fitting(excerpt, left)
    if (passage === null) continue
    left -= costOf(passage)
    passages.push(passage)
  }
  const isPacked = (unit: ScoredUnit) => passages.some((one) => includes(one, unit))
  // What was read beside the evidence was not left out of it.
  const isComplete = units.every((unit) => unit.share === 0 || isPacked(unit))
  return { passages, truncated: evidence.truncated || !isComplete } satisfies Packed
})
