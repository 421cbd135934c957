/** Telling an answer from the sentences that were found: what was asked for first, then who says it. */
import { dayOf, type NamedDays, tellDays } from "./dates.ts"
import type { Asked, Extract, ExtractedSentence, Passage } from "./extractAnswer.ts"
import { daysIn } from "./weekdays.ts"

/** A sentence that holds so much of the question says yes or no to it. */
const DECIDES = 0.8

const NEGATION = /\b(?:not|no|never|none|nobody|nothing|neither|without|cannot|no longer)\b|n['\u2019]t\b/iu

/** On one line, and with nothing in it that looks like a marker of ours: `[12]` becomes `(12)`. */
const told = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/\[(\d+)\]/g, "($1)").trim()

/** With the date after each day that is named by its distance: `tomorrow (12 March 2026)`. */
const dated = (text: string, named: ReadonlyArray<NamedDays>): string =>
  named.reduceRight(
    (dating, days) => `${dating.slice(0, days.end)} (${tellDays(days)})${dating.slice(days.end)}`,
    text
  )

const lead = (
  kind: Extract["kind"],
  { core, share, span }: ExtractedSentence,
  text: string,
  named: ReadonlyArray<NamedDays>
): string => {
  if (kind === "yes_no") {
    if (share < DECIDES) return ""
    return NEGATION.test(text.slice(core.start, core.end)) ? "No. " : "Yes. "
  }
  if (span === null) return ""
  const days = named.find(({ end, start }) => start >= span.start && end <= span.end)
  return `${told(days === undefined ? text.slice(span.start, span.end) : tellDays(days))}: `
}

/** Every `[n]` stands for the n-th sentence, from 1. */
export const composeAnswer = (
  { timezone }: Pick<Asked, "timezone">,
  { kind, sentences }: Extract,
  passages: ReadonlyArray<Passage>
): string =>
  sentences.map((sentence, index) => {
    const { text, timestamp } = passages[sentence.passage]!
    const today = dayOf(timestamp, timezone)
    const named = daysIn(text, today)
    const first = index === 0 ? lead(kind, sentence, text, named) : ""
    const within = named.filter(({ end, start }) => start >= sentence.start && end <= sentence.end)
      .map((days) => ({ ...days, start: days.start - sentence.start, end: days.end - sentence.start }))
    return `${first}${told(dated(text.slice(sentence.start, sentence.end), within))} [${index + 1}]`
  }).join(" ")
