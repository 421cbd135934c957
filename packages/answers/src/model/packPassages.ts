/** Packs what was found into the part of a prompt that a model may spend on passages: best first, in whole units. */
import type { Evidence, EvidenceSource } from "@tributary/core/ports/Answerer"
import { Effect } from "effect"
import { candidateUnits, type Section } from "../evidence/candidateUnits.ts"
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

/** Without a tokenizer this is a bound that holds in any language. */
const BYTES_PER_TOKEN = 3

/** The tags and the line breaks around a passage. */
const FRAME_BYTES = 80

const bytes = (text: string): number => new TextEncoder().encode(text).length

interface Stretch {
  readonly section: Section
  start: number
  end: number
}

const touches = (one: Stretch, { end, start }: Span): boolean => start <= one.end + 2 && end >= one.start - 2

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

export const packPassages = Effect.fnUntraced(function*(evidence: Evidence, source: EvidenceSource, tokens: number) {
  const stretches: Array<Stretch> = []
  let left = tokens * BYTES_PER_TOKEN
  let truncated = evidence.truncated
  for (const { section, unit } of yield* candidateUnits(evidence, source)) {
    const start = unit.lead !== null && unit.start - unit.lead.end < 2 ? unit.lead.start : unit.start
    const near = stretches.find((one) => one.section === section && touches(one, { start, end: unit.end }))
    const [from, to] = near === undefined
      ? [start, unit.end]
      : [Math.min(start, near.start), Math.max(unit.end, near.end)]
    const before = near === undefined ? -FRAME_BYTES : bytes(section.text.slice(near.start, near.end))
    const cost = bytes(section.text.slice(from, to)) - before
    // The best unit is always shown, whatever the budget.
    if (cost > left && stretches.length > 0) {
      truncated = true
      continue
    }
    left -= cost
    if (near === undefined) stretches.push({ section, start: from, end: to })
    else Object.assign(near, { start: from, end: to })
  }
  return { passages: stretches.map(packed), truncated } satisfies Packed
})
