/** Telling an answer from the sentences that were found: what was asked for first, then who says it. */
import { readRow } from "./cells.ts"
import type { Count } from "./countDocuments.ts"
import { dayOf, type NamedDays, tellDays } from "../text/dates.ts"
import type { Asked, Extract, ExtractedSentence, Passage } from "./extractAnswer.ts"
import { daysIn } from "./weekdays.ts"

/** What was asked for is found at a glance in a sentence of this length. */
const SHORT = 60

/** On one line, and with nothing in it that looks like a marker of ours: `[12]` becomes `(12)`. */
const told = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/\[(\d+)\]/g, "($1)").trim()

/** Without the signs that begin and end it as code. */
const withoutFences = (text: string): string => text.replaceAll(/^[ \t]*(?:```|~~~).*$/gm, "")

/** With the date after each day that is named by its distance: `tomorrow (12 March 2026)`. */
const dated = (text: string, named: ReadonlyArray<NamedDays>): string =>
  named.reduceRight((dating, days) => {
    const [owning = ""] = /^['\u2019]s\b/u.exec(dating.slice(days.end)) ?? []
    const end = days.end + owning.length
    return `${dating.slice(0, end)} (${tellDays(days)})${dating.slice(end)}`
  }, text)

const capitalised = (text: string): string => {
  const [first = ""] = text
  return `${first.toUpperCase()}${text.slice(first.length)}`
}

/** What was asked for, before a sentence in which it is not seen at once. */
const lead = (
  { form, span, verdict }: ExtractedSentence,
  sentence: string,
  text: string,
  named: ReadonlyArray<NamedDays>
): string => {
  if (verdict !== null) return `${verdict}. `
  if (span === null || (form !== "row" && sentence.length <= SHORT)) return ""
  const days = named.find(({ end, start }) => start < span.end && end > span.start)
  return `${capitalised(told(days === undefined ? text.slice(span.start, span.end) : tellDays(days)))}: `
}

/** How many documents there are, and what was counted: `3 documents match "invoices" and "March".` */
const tellCount = ({ isLeast, of, total, words }: Count): string => {
  const quoted = words.map((word) => `"${word}"`)
  const list = quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`
  const counted = of === "document"
    ? total === 1 ? "document matches" : "documents match"
    : total === 1
    ? "entry matches"
    : "entries match"
  return `${isLeast ? "At least " : ""}${total} ${counted} ${list}.`
}

/** Every `[n]` stands for the n-th sentence, from 1. */
export const composeAnswer = (
  { timezone }: Pick<Asked, "timezone">,
  { count, sentences }: Extract,
  passages: ReadonlyArray<Passage>
): string => {
  const quoted = sentences.map((sentence, index) => {
    const { text, timestamp, title } = passages[sentence.passage]!
    const today = dayOf(timestamp, timezone)
    const named = daysIn(text, today)
    const within = named.filter(({ end, start }) => start >= sentence.start && end <= sentence.end)
      .map((days) => ({ ...days, start: days.start - sentence.start, end: days.end - sentence.start }))
    const said = sentence.form === "row"
      ? told(readRow(text, sentence.cells))
      : told(withoutFences(dated(text.slice(sentence.start, sentence.end), within)))
    // Of documents that are counted one may say the same as the other; entries are of one.
    const first = count !== null
      ? count.of === "entry" && index > 0
        ? ""
        : `${[...(title === "" ? [] : [told(title)]), tellDays({ first: today, last: today })].join(", ")}: `
      : index === 0
      ? lead(sentence, said, text, named)
      : ""
    return `${first}${said} [${index + 1}]`
  })
  return [...(count === null ? [] : [tellCount(count)]), ...quoted].join(" ")
}
