/** Rows of tables that are quoted without the line below their head, which Markdown needs to read a table. */

const ROW = /^ {0,3}\|.*\|\s*$/
const RULE = /^ {0,3}\|?(\s*:?-+:?\s*\|)+\s*(:?-+:?\s*)?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

export const isTableRow = (line: string): boolean => ROW.test(line)
export const isTableRule = (line: string): boolean => RULE.test(line)

/** A bar after a backslash is text. */
const cellsIn = (row: string): number => row.trim().replaceAll(/\\./g, "").split("|").length - 2

/**
 * Makes a table of each group of rows. `isHead` shows whether the first row names the columns; otherwise, the table gets
 * a head without names.
 */
export const withTableRules = (text: string, isHead: (row: string) => boolean = () => false): string => {
  if (!text.includes("|")) return text
  const lines = text.split("\n")
  let isFenced = false
  return lines.flatMap((line, index) => {
    if (FENCE.test(line)) isFenced = !isFenced
    const isFirst = !isFenced && isTableRow(line) && !isTableRow(lines[index - 1] ?? "")
    if (!isFirst || isTableRule(lines[index + 1] ?? "")) return [line]
    const rowOf = (cell: string): string => `|${`${cell}|`.repeat(cellsIn(line))}`
    const table = isHead(line.trim()) ? [line, rowOf("---")] : [rowOf(" "), rowOf("---"), line]
    return ["", ...table]
  }).join("\n")
}
