/** Splits a long text into blocks, so that only visible ones are rendered. Concatenated they are the text. */
import { isTableRow, isTableRule } from "./tables.ts"

export interface Block {
  /** In UTF-16 code units. */
  readonly start: number
  readonly text: string
  /** What opened the fenced code or the table that the block continues: its first line, or its head. Empty otherwise. */
  readonly opening: string
}

/** A block ends at the first good place after this many characters. */
const GOOD = 4_000
/** Maximum length of a block, because a text may be a single line. */
const MAX_LENGTH = 20_000

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** As much of a line as may open or close a fenced block. */
const MARKED = 100

/** The line opens a fenced block, continues the open one, or closes it. */
const fenceAfter = (line: string, open: string): string => {
  const marks = FENCE.exec(line)?.[1]
  if (marks === undefined) return open
  if (open === "") return `${line.trimEnd()}\n`
  return line.trim() === marks && marks.startsWith(FENCE.exec(open)![1]!) ? "" : open
}

/** Never splits a surrogate pair. */
const cut = (text: string, at: number): number => /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at + 1 : at

/**
 * At blank lines, as Markdown has them between its blocks; not within a fenced one, and not before an indented line,
 * which continues an item, unless it is very long.
 */
export const blocksOf = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let start = 0
  /** Those at the beginning of the block and of the line. */
  let [opening, fence, table] = ["", "", ""]
  let row = ""
  const end = (at: number): void => {
    if (at > start) blocks.push({ start, text: text.slice(start, at), opening })
    start = at
    opening = fence === "" ? table : fence
  }
  for (let line = 0; line < text.length;) {
    const newline = text.indexOf("\n", line)
    const next = newline === -1 ? text.length : newline + 1
    const isBlank = next - line <= 2 && text.slice(line, next).trim() === ""
    const last = row
    row = text.charAt(line) === "|" && isTableRow(text.slice(line, next)) ? text.slice(line, next) : ""
    if (row === "") table = ""
    if (isBlank && fence === "" && next - start >= GOOD && !/[ \t]/.test(text.charAt(next))) end(next)
    if (next - start > MAX_LENGTH && line > start) end(line)
    fence = fenceAfter(text.slice(line, Math.min(next, line + MARKED)), fence)
    if (last !== "" && isTableRule(row)) table = last + row
    // A line that is longer than a block.
    for (let at = start + MAX_LENGTH; at < next; at = start + MAX_LENGTH) end(cut(text, at))
    line = next
  }
  end(text.length)
  return blocks
}
