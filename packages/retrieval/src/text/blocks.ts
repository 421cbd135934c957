/** The blocks of a text: those of Markdown, and what people write without it. */
import { CLOSING } from "./closing.ts"
import { startsInCode } from "./fences.ts"
import type { Span } from "./Span.ts"

interface Line extends Span {
  /** Columns of white space before the text. */
  readonly indent: number
  readonly text: string
}

export interface Block extends Span {
  readonly form: "paragraph" | "item" | "row" | "code" | "heading"
  /** The level of a heading: 1 is the outermost. */
  readonly level: number
  /** The table header of a row. */
  readonly head: Span | null
}

/** A heading is no longer than this. */
const MAX_HEADING = 120

/** The level of a heading without markup, recognised only as a separate line. */
const PLAIN_LEVEL = 9

const ATX = /^#{1,6}(?=[ \t])/
const TAGGED = /^<h([1-6])(?:\s[^<>]{0,400})?>.*<\/h\1>$/i
const UNDERLINE = /^(?:={3,200}|-{3,200}|~{3,200}|\*{3,200})$/
const FENCE = /^(?:```|~~~)/
const BULLET = /^[-*+•●◦‣▪·][ \t]/u
/** `・` and numbers as in `1、`, `（一）` and `①` need no space after them. */
const ITEM =
  /^(?:(?:[-*+•●◦‣▪·]|\(?(?:[0-9]{1,3}|\p{L})[.)])[ \t]+|[・①-⑳]|（(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})）|(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})[、．])\s*\S/u
/** A row of a table whose header is above the text. */
const ROW = /^\|.*\|$/
const RULE = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*){0,100}\|?\s*$/
/** The end of a sentence, or of a line that continues. */
const ENDS_AS_PROSE = new RegExp(`[.,;:!…。、，；：！|│]${CLOSING}{0,8}$`, "u")
const FRONT = /^(?:[\w-]+[ \t]*:(?:[ \t]|$)|- |#|$)/
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

/** An empty line, one that is drawn between the rows of a table, or the end of a container. */
const BLANK = /^(?:[\u2500-\u257f]*|\+[-=+]+\+|:{3,})$/

/** `::: tip Read this`: begins a container, which ends with a line of colons. */
const CONTAINER = /^:{3,}[ \t]*[\p{L}{].*$/u

export const isContainer = (text: string): boolean => CONTAINER.test(text)

/** Tags, comments and images: marks that nobody reads. */
const MARKUP = /<!--[^]*?(?:-->|$)|<\/?[a-z][^<>]*>|!\[[^\][]*\]\([^()]*\)/gi

/** Whether anything is left to read without markup. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.replaceAll(MARKUP, ""))

const isBlank = (line: Line | undefined): boolean => line === undefined || BLANK.test(line.text)

/** A single short line between blank ones that does not read as prose. */
const isPlainHeading = (lines: ReadonlyArray<Line>, from: number, to: number): boolean => {
  const line = lines[from]!
  if (BULLET.test(line.text) || isContainer(line.text)) return false
  let at = to
  while (isBlank(lines[at]) && at < lines.length) at++
  const next = lines[at]
  return to - from === 1 && isBlank(lines[from - 1]) && isBlank(lines[to]) && line.text.length <= MAX_HEADING &&
    !ENDS_AS_PROSE.test(line.text) &&
    next !== undefined && next.indent >= line.indent &&
    /\p{L}/u.test(line.text) && isReadable(line.text)
}

/** A longer line is a text without line breaks, which begins as a heading would. */
const MAX_MARKED = 500

/** Further to the right it is a comment in code. */
const levelOf = ({ indent, text }: Line): number =>
  indent < 4 && text.length <= MAX_MARKED ? ATX.exec(text)?.[0].length ?? Number(TAGGED.exec(text)?.[1] ?? 0) : 0

const startsOther = (line: Line): boolean =>
  ITEM.test(line.text) || FENCE.test(line.text) || ROW.test(line.text) || isContainer(line.text) || levelOf(line) > 0

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

const endOfTable = (lines: ReadonlyArray<Line>, from: number): number => {
  let to = from
  while (to < lines.length && lines[to]!.text.includes("|")) to++
  return to
}

export const blocksOf = (text: string): ReadonlyArray<Block> => {
  const lines = linesOf(text)
  // Where headings are marked, a short line is not a heading.
  const isMarked = lines.some((line) => levelOf(line) > 0)
  const blocks: Array<Block> = []
  /** Adds the lines as one block, and returns the line after them. */
  const take = (form: Block["form"], from: number, to: number, level = 0, head: Span | null = null) => {
    blocks.push({ form, start: lines[from]!.start, end: lines[to - 1]!.end, level, head })
    return to
  }
  const takeCode = (from: number, isClosing: (line: Line) => boolean) => {
    let close = from + 1
    while (close < lines.length && !isClosing(lines[close]!)) close++
    return take("code", Math.max(0, from), Math.min(lines.length, close + 1))
  }
  /** Adds what starts at a line, and returns the next line. */
  const takeFrom = (at: number): number => {
    const line = lines[at]!
    const next = lines[at + 1]
    if (isBlank(line)) return at + 1
    if (FENCE.test(line.text)) {
      const mark = line.text.slice(0, 3)
      return takeCode(at, ({ text }) => text.startsWith(mark))
    }
    const level = levelOf(line)
    if (level > 0) return take("heading", at, at + 1, level)
    if (isContainer(line.text)) return take("paragraph", at, at + 1)
    if (UNDERLINE.test(line.text)) return at + 1
    if (next !== undefined && UNDERLINE.test(next.text) && next.text.length + 3 > line.text.length / 2) {
      return take("heading", at, at + 1, next.text.startsWith("=") ? 1 : 2) + 1
    }
    if (next !== undefined && line.text.includes("|") && next.text.includes("|") && RULE.test(next.text)) {
      const end = endOfTable(lines, at + 2)
      if (end === at + 2) return take("row", at, end)
      const head = { start: line.start, end: line.end }
      for (let row = at + 2; row < end; row++) take("row", row, row + 1, 0, head)
      return end
    }
    if (ROW.test(line.text)) return take("row", at, at + 1)
    const to = endOfRun(lines, at)
    if (!isMarked && isPlainHeading(lines, at, to)) return take("heading", at, to, PLAIN_LEVEL)
    return take(ITEM.test(line.text) ? "item" : "paragraph", at, to)
  }

  /** Metadata before the text, which begins with a rule: lines of fields and items up to another one. */
  const takeFront = () => {
    const end = lines.findIndex((line, at) => at > 0 && !FRONT.test(line.text) && line.indent === 0)
    return end > 1 && lines[end]!.text === "---" ? take("paragraph", 1, end) + 1 : 0
  }

  let at = lines[0]!.text === "---"
    ? takeFront()
    : startsInCode(text)
    ? takeCode(-1, ({ text }) => FENCE.test(text))
    : 0
  while (at < lines.length) at = takeFrom(at)
  return withoutFalseHeadings(blocks)
}
