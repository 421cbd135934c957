/**
 * The units of a text: what a person would point at. A paragraph, an item of a list, a row of a table, a block of code,
 * each with the headings above it and with the line that introduces it.
 */
import { type Block, blocksOf, isContainer, isReadable, type Stretch } from "./blocks.ts"
import { CLOSING } from "./closing.ts"

export interface Unit extends Stretch {
  readonly form: "paragraph" | "item" | "row" | "code"
  /** The headings above it, outermost first. */
  readonly headings: ReadonlyArray<Stretch>
  /** The introduction: the line before a list or code, the header of a table. */
  readonly lead: Stretch | null
}

/** Longer units are cut at the ends of lines and sentences. */
const LONGEST = 1_000

const SENTENCE_END = new RegExp(`[.!?…]${CLOSING}{0,8}\\s+|[。！？]${CLOSING}{0,8}|\\n`, "gu")

/** Pieces of a stretch that is too long, cut at the ends of sentences and lines where there are any. */
const cut = (text: string, { end, start }: Stretch): ReadonlyArray<Stretch> => {
  const pieces: Array<Stretch> = []
  let from = start
  while (end - from > LONGEST) {
    let to = from + LONGEST
    for (const match of text.slice(from, to).matchAll(SENTENCE_END)) {
      if (match.index > LONGEST / 3) to = from + match.index + match[0].length
    }
    if (to === from + LONGEST) {
      const space = text.lastIndexOf(" ", to)
      if (space > from + LONGEST / 3) to = space + 1
      else if (/[\udc00-\udfff]/.test(text[to]!)) to--
    }
    pieces.push({ start: from, end: to })
    from = to
  }
  return [...pieces, { start: from, end }]
}

const trimmed = (text: string, { end, start }: Stretch): Stretch => {
  const stretch = text.slice(start, end)
  const lead = stretch.length - stretch.trimStart().length
  return { start: start + lead, end: start + lead + stretch.trim().length }
}

/** `Like this:` and `Like this?` are followed by what they are about. */
const INTRODUCES = new RegExp(`[:：?？]${CLOSING}{0,8}$`, "u")

/** Joined with what follows it, a line that introduces it may make a unit of this length. */
const LONGEST_JOINED = 800

interface Heading extends Stretch {
  readonly level: number
}

export const unitsOf = (text: string): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  let headings: ReadonlyArray<Heading> = []
  let intro: Stretch | null = null
  /** The context of the next block: its heading, or the line that introduces it. */
  let opening: (Stretch & { readonly form: Block["form"] }) | null = null
  const add = (form: Unit["form"], stretch: Stretch, lead: Stretch | null) => {
    for (const piece of cut(text, stretch)) {
      const { end, start } = trimmed(text, piece)
      if (start < end) units.push({ form, start, end, headings, lead })
    }
  }
  for (const block of blocksOf(text)) {
    const stretch = trimmed(text, block)
    if (stretch.start === stretch.end) continue
    if (block.form === "heading") {
      // A heading that has nothing under it is all that its part of the text says.
      const isAlone = opening?.form === "heading" && headings.at(-1)!.level >= block.level
      if (opening !== null && (isAlone || opening.form === "paragraph")) add("paragraph", opening, null)
      headings = [...headings.filter(({ level }) => level < block.level), { ...stretch, level: block.level }]
      intro = null
      opening = { ...stretch, form: "heading" }
      continue
    }
    const written = text.slice(stretch.start, stretch.end)
    const beginsContainer = isContainer(written)
    if (beginsContainer || block.form === "paragraph" && !isReadable(written)) {
      // It belongs to what follows it, as what it follows does.
      if (opening !== null) opening = { ...opening, end: stretch.end }
      else if (beginsContainer) opening = { ...stretch, form: "paragraph" }
      else add("paragraph", stretch, null)
      continue
    }
    const lead: Stretch | null = block.form === "row" ? block.head : block.form === "paragraph" ? null : intro
    if (
      block.form === "paragraph" &&
      INTRODUCES.test(text.slice(Math.max(stretch.start, stretch.end - 9), stretch.end)) &&
      stretch.end - (opening ?? stretch).start < LONGEST_JOINED / 2 && opening?.form !== "paragraph"
    ) {
      opening = { start: (opening ?? stretch).start, end: stretch.end, form: "paragraph" }
      intro = stretch
      continue
    }
    if (opening !== null && stretch.end - opening.start <= LONGEST_JOINED) {
      add(block.form, { start: opening.start, end: stretch.end }, null)
    } else {
      if (opening !== null && opening.form === "paragraph") add("paragraph", opening, null)
      add(block.form, stretch, lead === null ? null : trimmed(text, lead))
    }
    opening = null
    if (block.form === "paragraph") intro = stretch
  }
  if (opening !== null && opening.form === "paragraph") add("paragraph", opening, null)
  return units
}
