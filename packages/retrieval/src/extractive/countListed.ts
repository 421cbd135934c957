/** Counting what one document lists: the items of a list, the rows of a table, the lines that begin with a date. */
import { overlapSome, without } from "./askedDays.ts"
import { calendarDays } from "../text/calendarDays.ts"
import { readRow } from "./cells.ts"
import { type Count, type Counted, MOST_CITED, wordsOf } from "./countDocuments.ts"
import { dayOf, type NamedDays, relativeDays } from "../text/dates.ts"
import { type Evidence, evidenceFor } from "./evidence.ts"
import type { Asked, ExtractedSentence, Passage } from "./extractAnswer.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { countedTerms, type QuestionKind } from "./questionKind.ts"
import { isNegated } from "./sentenceKind.ts"
import { ITEM, type Statement, statements } from "./statements.ts"

/** Of one document no more passages than this are looked through. */
export const MOST_LISTING = 24

/** One document, as far as it was read. */
interface Listing {
  readonly text: string
  readonly parts: ReadonlyArray<{ readonly index: number; readonly passage: Passage; readonly from: number }>
  readonly isWhole: boolean
}

interface Entry {
  /** Whether it calls itself what is counted; else the list is called so. */
  readonly isNamed: boolean
  readonly sentence: ExtractedSentence
}

const listingsOf = (passages: ReadonlyArray<Passage>): ReadonlyArray<Listing> => {
  const indexed = passages.map((passage, index) => ({ passage, index }))
  const byDocument = Map.groupBy(indexed, ({ index, passage }) => passage.document ?? String(index))
  return [...byDocument.values()].map((read) => {
    const inOrder = read.toSorted((left, right) => (left.passage.at ?? 0) - (right.passage.at ?? 0))
    let text = ""
    const parts: Array<Listing["parts"][number]> = []
    const begin = inOrder[0]!.passage.at ?? 0
    for (const { index, passage } of inOrder) {
      // What comes after a gap may be part of another list.
      if (begin + text.length !== (passage.at ?? 0)) break
      parts.push({ index, passage, from: text.length })
      text += passage.text
    }
    return { text, parts, isWhole: begin === 0 && parts.length === inOrder.length && parts.length < MOST_LISTING }
  })
}

/** `Incident log`, of `Incident log of the clinic`: what stands behind the first small word says more about it. */
const headOf = (title: string): string =>
  title.split(/\s(?:for|of|in|on|at|by|from|to|with|about|that|which|who)\s|[:,(]/iu)[0]!

const bareItem = (text: string, { core, end, start }: Statement): number => {
  const [mark = ""] = ITEM.exec(text.slice(start, Math.min(end, core.end))) ?? []
  return start + mark.length
}

const isListed = (text: string, statement: Statement, day: number): boolean => {
  const { core, form } = statement
  if (form !== "sentence") return form === "row"
  return ITEM.test(text.slice(core.start, core.end)) ||
    calendarDays(text.slice(core.start, core.end), day)[0]?.start === 0
}

interface Wanted {
  readonly evidence: Evidence
  readonly required: ReadonlySet<string>
  /** The term of what is counted; null when it is how often something happens. */
  readonly counted: string | null
  readonly periods: ReadonlyArray<NamedDays>
  readonly timezone: string
}

const entriesOf = (wanted: Wanted, { parts, text }: Listing): ReadonlyArray<Entry> => {
  const { counted, evidence, periods, required, timezone } = wanted
  const { timestamp, title } = parts[0]!.passage
  const today = dayOf(timestamp, timezone)
  const daysIn = (said: string) => [...calendarDays(said, today), ...relativeDays(said, today)]
  return statements(text).flatMap((statement): ReadonlyArray<Entry> => {
    if (!isListed(text, statement, today)) return []
    const { cells, core, end, form, under } = statement
    const start = bareItem(text, statement)
    const said = form === "row" ? readRow(text, cells) : text.slice(start, end)
    const own = evidence.termsIn(
      form === "row" ? cells.map((cell) => text.slice(cell.start, cell.end)).join("\n") : said
    )
    const named = evidence.termsIn([headOf(title), under.split("\n").at(-1) ?? "", cells[0]?.head ?? ""].join("\n"))
    const around = evidence.termsIn([title, under, ...cells.map(({ head }) => head)].join("\n"))
    const isMeant = [...required].every((term) => own.has(term) || around.has(term)) &&
      (counted === null ? own.size > 0 && !isNegated(said) : own.has(counted) || named.has(counted))
    if (!isMeant) return []
    const days = periods.length === 0 ? [] : [said, under, title].map(daysIn).find((found) => found.length > 0) ?? []
    if (!periods.every((period) => overlapSome(days, period))) return []
    const part = parts.findLast(({ from }) => from <= start)!
    const quoted = { start: start - part.from, end: Math.min(end - part.from, part.passage.text.length) }
    if (quoted.start >= quoted.end || core.end <= start) return []
    const told = cells.map((cell) => ({ ...cell, start: cell.start - part.from, end: cell.end - part.from }))
    const sentence = { passage: part.index, form, ...quoted, core: quoted, span: null, cells: told, verdict: null }
    return [{ isNamed: counted !== null && own.has(counted), sentence }]
  })
}

/** Where most entries call themselves what is counted, the others are something else. */
const alike = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const named = entries.filter(({ isNamed }) => isNamed)
  return named.length * 2 > entries.length ? named : entries
}

/** Of the documents the one that lists most; null when none lists anything of it. */
export const countListed = (asked: Asked, kind: QuestionKind, passages: ReadonlyArray<Passage>): Counted | null => {
  const today = dayOf(asked.now, asked.timezone)
  const periods = [...calendarDays(asked.query, today), ...relativeDays(asked.query, today)]
  const timeless = without(asked.query, periods)
  const evidence = evidenceFor(timeless, asked.idf)
  const required = new Set([...evidence.terms].filter((term) => !LIGHT_VERBS.has(term)))
  const counted = countedTerms(timeless).at(-1) ?? null
  if (required.size === 0 || kind === "other" || (kind === "amount" && counted === null)) return null
  const wanted = { evidence, required, counted, periods, timezone: asked.timezone }
  const [best] = listingsOf(passages).map((listing) => ({ listing, entries: alike(entriesOf(wanted, listing)) }))
    .sort((left, right) => right.entries.length - left.entries.length)
  if (best === undefined || best.entries.length === 0) return null
  const words = [...wordsOf(timeless, required), ...periods.map(({ end, start }) => asked.query.slice(start, end))]
  const count: Count = { of: "entry", total: best.entries.length, isLeast: !best.listing.isWhole, words }
  return { count, sentences: best.entries.slice(0, MOST_CITED).map(({ sentence }) => sentence) }
}
