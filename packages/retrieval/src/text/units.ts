/**
 * The units of a text: what a person would point at. A paragraph, an item of a list, a row of a table, a block of code,
 * each with the headings above it and with the line that introduces it.
 */
import { type Block, blocksOf, isContainer, isReadable } from "./blocks.ts"
import { CLOSING } from "./closing.ts"
import { type Span, trimmed } from "./Span.ts"

export interface Unit extends Span {
  readonly form: "paragraph" | "item" | "row" | "code"
  /** The headings above it, outermost first. */
  readonly headings: ReadonlyArray<Span>
  /** The introduction: the line before a list or code, the header of a table. */
  readonly lead: Span | null
}

/** Longer units are cut at the ends of sentences, code at those of lines. */
const MAX_LENGTH = 1_000

/** A lower-case letter, as after `e.g.`, or a bracket continues the sentence or its line. */
const SENTENCE_END = new RegExp(`[.!?…]${CLOSING}{0,8}\\s+(?![\\p{Ll}(])|[。！？]${CLOSING}{0,8}`, "gu")
const LINE_END = /\n/g

/** The end of the last match after the first third, where a piece would be too short; 0 without one. */
const lastEnd = (text: string, pattern: RegExp): number => {
  const last = [...text.matchAll(pattern)].at(-1)
  return last !== undefined && last.index > MAX_LENGTH / 3 ? last.index + last[0].length : 0
}

/** Pieces of a stretch that is too long. The lines of a sentence may be wrapped, so that they say less than it does. */
const cut = (text: string, { end, start }: Span, form: Unit["form"]): ReadonlyArray<Span> => {
  const pieces: Array<Span> = []
  let from = start
  while (end - from > MAX_LENGTH) {
    const part = text.slice(from, from + MAX_LENGTH)
    let to = from + ((form !== "code" && lastEnd(part, SENTENCE_END)) || lastEnd(part, LINE_END) || MAX_LENGTH)
    if (to === from + MAX_LENGTH) {
      const space = text.lastIndexOf(" ", to)
      if (space > from + MAX_LENGTH / 3) to = space + 1
      else if (/[\udc00-\udfff]/.test(text[to]!)) to--
    }
    pieces.push({ start: from, end: to })
    from = to
  }
  return [...pieces, { start: from, end }]
}

/** `Like this:` and `Like this?` are followed by what they are about. */
const INTRODUCES = new RegExp(`[:：?？]${CLOSING}{0,8}$`, "u")

/** Joined with what follows it, a line that introduces it may make a unit of this length. */
const MAX_JOINED = 800

interface Heading extends Span {
  readonly level: number
}

/** What the text of a part begins with may be the rest of an item, which introduces nothing. */
export const unitsOf = (text: string, isPart = false): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  let isRest = isPart
  let headings: ReadonlyArray<Heading> = []
  /** The last paragraph, which introduces code, and the last one that is not within an item, which introduces items. */
  let [before, intro]: [Span | null, Span | null] = [null, null]
  let isInList = false
  /** The context of the next block: its heading, or the line that introduces it. */
  let opening: (Span & { readonly form: Block["form"] }) | null = null
  const add = (form: Unit["form"], span: Span, lead: Span | null) => {
    for (const piece of cut(text, span, form)) {
      const { end, start } = trimmed(text, piece)
      if (start < end) units.push({ form, start, end, headings, lead })
    }
  }
  for (const block of blocksOf(text)) {
    const span = trimmed(text, block)
    if (span.start === span.end) continue
    if (block.form === "heading") {
      // A heading that has nothing under it is all that its part of the text says.
      const isAlone = opening?.form === "heading" && headings.at(-1)!.level >= block.level
      if (opening !== null && (isAlone || opening.form === "paragraph")) add("paragraph", opening, null)
      headings = [...headings.filter(({ level }) => level < block.level), { ...span, level: block.level }]
      before = intro = null
      opening = { ...span, form: "heading" }
      continue
    }
    const written = text.slice(span.start, span.end)
    const beginsContainer = isContainer(written)
    if (beginsContainer || block.form === "paragraph" && !isReadable(written)) {
      // It belongs to what follows it, as what it follows does.
      if (opening !== null) opening = { ...opening, end: span.end }
      else if (beginsContainer) opening = { ...span, form: "paragraph" }
      else add("paragraph", span, null)
      continue
    }
    const isIndented = span.start > block.start
    isInList = block.form === "item" || isInList && isIndented
    const lead = { row: block.head, paragraph: null, code: before, item: intro }[block.form]
    if (block.form === "paragraph" && !isRest) [before, intro] = [span, isInList ? intro : span]
    isRest = false
    if (
      block.form === "paragraph" &&
      INTRODUCES.test(text.slice(Math.max(span.start, span.end - 9), span.end)) &&
      span.end - (opening ?? span).start < MAX_JOINED / 2 && opening?.form !== "paragraph"
    ) {
      opening = { start: (opening ?? span).start, end: span.end, form: "paragraph" }
      continue
    }
    if (opening !== null && span.end - opening.start <= MAX_JOINED) {
      add(block.form, { start: opening.start, end: span.end }, null)
    } else {
      if (opening !== null && opening.form === "paragraph") add("paragraph", opening, null)
      add(block.form, span, lead === null ? null : trimmed(text, lead))
    }
    opening = null
  }
  if (opening !== null) add("paragraph", opening, null)
  return units
}
