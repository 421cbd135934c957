/** Rows of tables: what they say when they are read with the heads of their columns, and which cell answers. */
import { occurrences } from "../text/positions.ts"
import type { QuestionKind } from "./questionKind.ts"
import type { Span } from "../text/Span.ts"
import { type SpanContext, spansIn } from "./spans.ts"
import type { Cell } from "./statements.ts"

/** A cell that is a number, whatever the head of its column says that it counts. */
const NUMBER = /^\W*\d[\d.,]*\W*$/u

/** The head of a column of sums. */
const MONEY =
  /[$\u20ac\u00a3\u00a5]|\b(?:price|cost|fee|rate|rent|amount|total|sum|charge|pay|salary|budget|limit|eur|euro|usd|gbp|chf|dollar|pound|preis|kosten|betrag|prix|tarif|precio|importe)/iu

/** `Port: 7071; Owner: Team Deck`. */
export const readRow = (text: string, cells: ReadonlyArray<Cell>): string =>
  cells
    .filter(({ end, start }) => start < end)
    .map(({ end, head, start }) => `${head === "" ? "" : `${head}: `}${text.slice(start, end)}`)
    .join("; ")

/** The cell under a head that the question names, else the first that is of the kind that was asked for. */
export const cellSpan = (
  kind: QuestionKind,
  text: string,
  cells: ReadonlyArray<Cell>,
  asked: ReadonlyMap<string, string>,
  context: SpanContext
): Span | null => {
  const told = cells.filter(({ end, start }) => start < end && occurrences(text.slice(start, end), asked).length === 0)
  const isOfKind = ({ end, head, start }: Cell) => {
    const cell = text.slice(start, end)
    // Of what is counted the head of its column would have told.
    const isNumber = NUMBER.test(cell) &&
      (kind === "price" ? MONEY.test(head) : kind === "amount" && context.counted === null)
    return isNumber || spansIn(kind, cell, context).length > 0
  }
  const cell = told.find(({ head }) => occurrences(head, asked).length > 0) ?? told.find(isOfKind)
  return cell === undefined ? null : { start: cell.start, end: cell.end }
}
