/** What a text says, piece by piece: its sentences, the rows of its tables and its lines of code. */
import { type Block, blocksOf } from "./blocks.ts"
import { borderBefore, isBorder } from "../text/characters.ts"
import { isLabelled } from "./labels.ts"
import { sentences } from "../text/sentences.ts"
import type { Span } from "../text/Span.ts"

export interface Cell extends Span {
  /** The head of its column. */
  readonly head: string
}

export interface Statement extends Span {
  readonly form: "sentence" | "row" | "code"
  /** The sentence by itself: the list or the code that it announces with a colon belongs to the statement, too. */
  readonly core: Span
  /** What it stands under: the lines before a text, `From: ...`, and headings. */
  readonly under: string
  readonly headings: string
  /** The sentence before it, or the one that announces it. */
  readonly before: Span | null
  /** Of a row. */
  readonly cells: ReadonlyArray<Cell>
}

/** A sentence and what it announces are quoted together up to this length. */
const LONGEST = 400

/** A longer row is read as if it were prose, which is cut. */
const LONGEST_ROW = 1_000

/** What an item of a list begins with. */
export const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s/u

/** Without the white space at its ends, nor the marks that stand on it; whole characters. */
const trimmed = (text: string, { end, start }: Span): Span => {
  let from = start
  while (from < end && (/\s/.test(text[from]!) || !isBorder(text, -1, from))) from++
  const to = borderBefore(text, from, end)
  return { start: from, end: from + text.slice(from, to).trimEnd().length }
}

/** What stands between the bars of a row. */
const cellsOf = (text: string, line: Span): ReadonlyArray<Span> => {
  const { end, start } = trimmed(text, line)
  const bars = [...text.slice(start, end).matchAll(/(?<!\\)\|/gu)].map(({ index }) => start + index)
  const borders = [
    ...(bars[0] === start ? [] : [start - 1]),
    ...bars,
    ...(bars.at(-1) === end - 1 ? [] : [end])
  ]
  return borders.slice(1).map((border, at) => trimmed(text, { start: borders[at]! + 1, end: border }))
}

const sentencesIn = (text: string, { end, start }: Span): ReadonlyArray<Span> =>
  sentences(text.slice(start, end))
    .map((stretch) => trimmed(text, { start: start + stretch.start, end: start + stretch.end }))
    .filter((stretch) => stretch.start < stretch.end)

const stretchOf = ({ lines }: Block): Span => ({ start: lines[0]!.start, end: lines.at(-1)!.end })

/** The lines before a text, `From: ...`, which an empty line parts from it. */
const headOf = (text: string): string => {
  const end = text.search(/\n\s*\n/)
  const head = text.slice(0, Math.max(0, end))
  return head.split("\n").every(isLabelled) ? head : ""
}

type Plain = Pick<Statement, "form" | "start" | "end" | "cells">

const plainOf = (form: Statement["form"], stretch: Span): Plain => ({ form, ...stretch, cells: [] })

const rowsOf = (text: string, [head, , ...rows]: ReadonlyArray<Span>): ReadonlyArray<Plain> => {
  const heads = cellsOf(text, head!).map(({ end, start }) => text.slice(start, end))
  return rows.flatMap((row) =>
    row.end - row.start > LONGEST_ROW
      ? sentencesIn(text, row).map((stretch) => plainOf("sentence", stretch))
      : [{
        form: "row" as const,
        ...trimmed(text, row),
        cells: cellsOf(text, row).map((cell, at) => ({ ...cell, head: heads[at] ?? "" }))
      }]
  )
}

const linesOfCode = (text: string, lines: ReadonlyArray<Span>): ReadonlyArray<Plain> =>
  lines.slice(1, -1).flatMap((line) => sentencesIn(text, line)).map((stretch) => plainOf("code", stretch))

const plainIn = (text: string, block: Block): ReadonlyArray<Plain> =>
  block.form === "table"
    ? rowsOf(text, block.lines)
    : block.form === "code"
    ? linesOfCode(text, block.lines)
    : sentencesIn(text, stretchOf(block)).map((stretch) => plainOf("sentence", stretch))

/** Where the list or the code ends that the sentence at `at` announces: of a long list the first items, of code all. */
const endOf = (text: string, all: ReadonlyArray<Plain>, at: number): number => {
  const { end, form, start } = all[at]!
  const next = all[at + 1]
  if (form !== "sentence" || text[end - 1] !== ":" || next === undefined) return end
  const goesOn = (plain: Plain) =>
    next.form === "code" ? plain.form === "code" : ITEM.test(text.slice(plain.start, plain.end))
  const rest = all.slice(at + 1)
  const after = rest.findIndex((plain) => !goesOn(plain))
  const announced = rest.slice(0, after === -1 ? rest.length : after)
  const fitting = announced.filter((plain) => plain.end - start <= LONGEST)
  return next.form === "code" && fitting.length < announced.length ? end : fitting.at(-1)?.end ?? end
}

/** Of what stands under the same headings. */
const statementsOf = (
  text: string,
  all: ReadonlyArray<Plain>,
  head: string,
  headings: string
): ReadonlyArray<Statement> => {
  const under = `${head}\n${headings}`
  let before: Span | null = null
  return all.map((plain, at) => {
    const { end, start } = plain
    const statement = { ...plain, end: endOf(text, all, at), core: { start, end }, under, headings, before }
    if (plain.form === "sentence" && !ITEM.test(text.slice(start, end))) before = { start, end }
    return statement
  })
}

export const statements = (text: string): ReadonlyArray<Statement> => {
  const head = headOf(text)
  const found: Array<Statement> = []
  let headings: ReadonlyArray<string> = []
  let plain: Array<Plain> = []
  const close = () => {
    for (const statement of statementsOf(text, plain, head, headings.join("\n"))) found.push(statement)
    plain = []
  }
  for (const block of blocksOf(text)) {
    if (block.form === "heading") {
      close()
      const { end, start } = stretchOf(block)
      const [marks = "", ...words] = text.slice(start, end).trim().split(" ")
      headings = [...headings.slice(0, marks.length - 1), words.join(" ")]
    } else for (const one of plainIn(text, block)) plain.push(one)
  }
  close()
  return found
}
