/** The blocks of a text in Markdown: headings, tables, code, and the prose between them. */
import type { Span } from "../text/Span.ts"

export interface Block {
  readonly form: "heading" | "table" | "code" | "prose"
  readonly lines: ReadonlyArray<Span>
}

const HEADING = /^ {0,3}#{1,6}\s/u
const FENCE = /^\s*(```|~~~)/
const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u

const linesOf = (text: string): ReadonlyArray<Span> => {
  const lines: Array<Span> = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    lines.push({ start, end })
    start = end + 1
  }
  return lines
}

/** How many lines the code takes whose fence stands first. */
const lengthOfCode = (lines: ReadonlyArray<string>, fence: string): number => {
  const end = lines.findIndex((line, at) => at > 0 && line.trimStart().startsWith(fence))
  return end === -1 ? lines.length : end + 1
}

/** How many lines the table takes whose head stands first; none when that is no head. */
const lengthOfTable = (lines: ReadonlyArray<string>): number => {
  const [head = "", rule = ""] = lines
  // A long line is no rule, and looking for one in it could take long.
  if (!head.includes("|") || !rule.includes("|") || rule.length > 1_000 || !RULE.test(rule)) return 0
  const end = lines.findIndex((line) => !line.includes("|"))
  return end === -1 ? lines.length : end
}

export const blocksOf = (text: string): ReadonlyArray<Block> => {
  const stretches = linesOf(text)
  const lines = stretches.map(({ end, start }) => text.slice(start, end))
  const blocks: Array<Block> = []
  let prose = 0
  const take = (form: Block["form"], from: number, to: number) => {
    if (prose < from) blocks.push({ form: "prose", lines: stretches.slice(prose, from) })
    if (from < to) blocks.push({ form, lines: stretches.slice(from, to) })
    prose = to
    return to
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    const fence = FENCE.exec(line)?.[1]
    const rows = lengthOfTable(lines.slice(at, at + 2)) === 0 ? 0 : lengthOfTable(lines.slice(at))
    if (HEADING.test(line)) at = take("heading", at, at + 1)
    else if (fence !== undefined) at = take("code", at, at + lengthOfCode(lines.slice(at), fence))
    else if (rows > 0) at = take("table", at, at + rows)
    else at++
  }
  take("prose", lines.length, lines.length)
  return blocks
}
