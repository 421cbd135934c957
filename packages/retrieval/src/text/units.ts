/**
 * The units of a text: what a person would point at. A paragraph, an item of a list, a row of a table, a block of code,
 * each with the headings above it and with the line that introduces it.
 */

import { startsInCode } from "./fences.ts"

/** Half-open, in UTF-16 code units. */
interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Unit extends Stretch {
  readonly form: "paragraph" | "item" | "row" | "code"
  /** The headings above it, outermost first. */
  readonly headings: ReadonlyArray<Stretch>
  /** The introduction: the line before a list or code, the header of a table. */
  readonly lead: Stretch | null
}

interface Line extends Stretch {
  /** Columns of white space before the text. */
  readonly indent: number
  readonly text: string
}

interface Block extends Stretch {
  readonly form: Unit["form"] | "heading"
  /** The level of a heading: 1 is the outermost. */
  readonly level: number
  /** The table header of a row. */
  readonly head: Stretch | null
}

/** Longer units are cut at the ends of lines and sentences. */
const LONGEST = 1_000

/** A heading is no longer than this. */
const LONGEST_HEADING = 120

/** The level of a heading without markup, recognised only as a separate line. */
const PLAIN_LEVEL = 9

const ATX = /^#{1,6}(?=[ \t])/
const UNDERLINE = /^(?:={3,200}|-{3,200}|~{3,200}|\*{3,200})$/
const FENCE = /^(?:```|~~~)/
const BULLET = /^[-*+•●◦‣▪·][ \t]/u
const ITEM = /^(?:[-*+•●◦‣▪·]|\(?(?:[0-9]{1,3}|\p{L})[.)])[ \t]+\S/u
/** A row of a table whose header is above the text. */
const ROW = /^\|.*\|$/
const RULE = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*){0,100}\|?\s*$/
/** The end of a sentence, or of a line that continues. */
const ENDS_AS_PROSE = /[.,;:!…。、，；：！|│]["'”’)\]*_]*$/u
const SENTENCE_END = /[.!?…]["'”’)\]]{0,3}\s+|[。！？]|\n/gu

const TAB = "    "

const linesOf = (text: string): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end).trimEnd()
    const bare = line.trimStart()
    const indent = line.slice(0, line.length - bare.length).replaceAll("\t", TAB).length
    lines.push({ start, end, indent, text: bare })
    start = end + 1
  }
  return lines
}

/** An empty line, or one that is drawn between the rows of a table. */
const BLANK = /^(?:[\u2500-\u257f]*|\+[-=+]+\+)$/

const isBlank = (line: Line | undefined): boolean => line === undefined || BLANK.test(line.text)

/** A single short line between blank ones that does not read as prose. */
const isPlainHeading = (lines: ReadonlyArray<Line>, from: number, to: number): boolean => {
  const line = lines[from]!
  if (BULLET.test(line.text)) return false
  let at = to
  while (isBlank(lines[at]) && at < lines.length) at++
  const next = lines[at]
  return to - from === 1 && isBlank(lines[from - 1]) && isBlank(lines[to]) && line.text.length <= LONGEST_HEADING &&
    !ENDS_AS_PROSE.test(line.text) &&
    next !== undefined && next.indent >= line.indent && /\p{L}/u.test(line.text)
}

/** Further to the right it is a comment in code. */
const isHeading = ({ indent, text }: Line): boolean => indent < 4 && ATX.test(text)

const startsOther = (line: Line): boolean =>
  ITEM.test(line.text) || FENCE.test(line.text) || ROW.test(line.text) || isHeading(line)

/** The end of the block of lines that starts at `from`. */
const endOfRun = (lines: ReadonlyArray<Line>, from: number): number => {
  let to = from + 1
  while (to < lines.length && !isBlank(lines[to]) && !startsOther(lines[to]!)) to++
  return to
}

/** Of short lines that follow each other, only the last one is a heading: the others are a list without marks. */
const withoutFalseHeadings = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const isPlain = (block: Block | undefined) => block?.form === "heading" && block.level === PLAIN_LEVEL
  const kept: Array<Block> = []
  blocks.forEach((block, at) => {
    if (!isPlain(block) || !isPlain(blocks[at + 1])) kept.push(block)
    else if (isPlain(blocks[at - 1])) kept.push({ ...kept.pop()!, end: block.end })
    else kept.push({ ...block, form: "paragraph" })
  })
  return kept
}

const blocksOf = (text: string): ReadonlyArray<Block> => {
  const lines = linesOf(text)
  const blocks: Array<Block> = []
  const take = (form: Block["form"], from: number, to: number, level = 0, head: Stretch | null = null) => {
    blocks.push({ form, start: lines[from]!.start, end: lines[to - 1]!.end, level, head })
    return to
  }
  const takeCode = (from: number, isClosing: (line: Line) => boolean) => {
    let close = from + 1
    while (close < lines.length && !isClosing(lines[close]!)) close++
    return take("code", Math.max(0, from), Math.min(lines.length, close + 1))
  }
  for (let at = startsInCode(text) ? takeCode(-1, ({ text }) => FENCE.test(text)) : 0; at < lines.length;) {
    const line = lines[at]!
    const next = lines[at + 1]
    if (isBlank(line)) at++
    else if (FENCE.test(line.text)) {
      const mark = line.text.slice(0, 3)
      at = takeCode(at, ({ text }) => text.startsWith(mark))
    } else if (isHeading(line)) at = take("heading", at, at + 1, ATX.exec(line.text)![0].length)
    else if (UNDERLINE.test(line.text)) at++
    else if (next !== undefined && UNDERLINE.test(next.text) && next.text.length + 3 > line.text.length / 2) {
      take("heading", at, at + 1, next.text.startsWith("=") ? 1 : 2)
      at += 2
    } else if (next !== undefined && line.text.includes("|") && next.text.includes("|") && RULE.test(next.text)) {
      const head = { start: line.start, end: line.end }
      at += 2
      while (at < lines.length && lines[at]!.text.includes("|")) at = take("row", at, at + 1, 0, head)
    } else if (ROW.test(line.text)) at = take("row", at, at + 1)
    else {
      const to = endOfRun(lines, at)
      const form = ITEM.test(line.text) ? "item" : "paragraph"
      at = isPlainHeading(lines, at, to) ? take("heading", at, to, PLAIN_LEVEL) : take(form, at, to)
    }
  }
  return withoutFalseHeadings(blocks)
}

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
const INTRODUCES = /[:：?？]["'”’)\]*_]*$/u

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
