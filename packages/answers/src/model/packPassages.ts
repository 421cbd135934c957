/** Packs what is found into the part of a prompt that a model may spend on passages: the best units first, and whole. */
import type { EvidenceSource } from "@tributary/core/ports/Answerer"
import { Effect } from "effect"
import type { Candidate, Section } from "../evidence/candidateUnits.ts"
import { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { scoredUnits } from "../evidence/scoredUnits.ts"
import type { Span } from "../statements/locateQuote.ts"

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

/** How many passages are considered, of which the best units are packed. */
const PASSAGES = 100

/** Without a tokenizer this is a bound that holds in any language. */
const BYTES_PER_TOKEN = 3

/** The tags and the line breaks around a passage. */
const FRAME_BYTES = 80

const bytes = (text: string): number => new TextEncoder().encode(text).length

interface Stretch extends Span {
  readonly section: Section
}

const touches = (one: Stretch, other: Stretch): boolean =>
  one.section === other.section && other.start <= one.end + 2 && other.end >= one.start - 2

const bytesOf = ({ end, section, start }: Stretch): number => FRAME_BYTES + bytes(section.text.slice(start, end))

const titleOf = ({ section, start }: Stretch): string => {
  const headings = section.units.find((unit) => unit.end > start)?.headings ?? []
  const above = headings.filter((heading) => heading.end <= start)
    .map(({ end, start }) => section.text.slice(start, end).replace(/^[#\s]+/, "").trim())
  return [section.document.title ?? "", ...above].filter((part) => part !== "").join(" > ")
}

const packed = (stretch: Stretch): PackedPassage => ({
  section: stretch.section,
  start: stretch.start,
  end: stretch.end,
  text: stretch.section.text.slice(stretch.start, stretch.end),
  title: titleOf(stretch),
  date: new Date(stretch.section.document.timestamp).toISOString().slice(0, 10)
})

/** A unit with the line that introduces it, where nothing stands between them. */
const stretchOf = ({ section, unit }: Candidate): Stretch => {
  const { end, lead, start } = unit
  return { section, start: lead !== null && start - lead.end < 2 ? lead.start : start, end }
}

export const packPassages = Effect.fnUntraced(function*(query: string, source: EvidenceSource, tokens: number) {
  const evidence = yield* source.search(query, PASSAGES)
  let stretches: ReadonlyArray<Stretch> = []
  let left = tokens * BYTES_PER_TOKEN
  let truncated = evidence.truncated
  for (const scored of yield* scoredUnits(evidence, source, new QuestionTerms(evidence))) {
    const added = stretchOf(scored)
    const near = stretches.filter((one) => touches(one, added))
    const whole = near.reduce((one, other) => ({
      ...one,
      start: Math.min(one.start, other.start),
      end: Math.max(one.end, other.end)
    }), added)
    const cost = bytesOf(whole) - near.reduce((sum, one) => sum + bytesOf(one), 0)
    // The best unit is always shown, whatever the budget.
    if (cost > left && stretches.length > 0) {
      truncated = true
      continue
    }
    left -= cost
    // What grows together stands where the best of it stood.
    const [first] = near
    stretches = first === undefined
      ? [...stretches, whole]
      : stretches.flatMap((one) => one === first ? [whole] : near.includes(one) ? [] : [one])
  }
  return { passages: stretches.map(packed), truncated } satisfies Packed
})
