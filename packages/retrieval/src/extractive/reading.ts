/** A statement of a passage, read with what stands around it. */
import { readRow } from "./cells.ts"
import type { Evidence } from "./evidence.ts"
import type { Passage } from "./extractAnswer.ts"
import { isLabelled, labelOf, tells } from "./labels.ts"
import { type Occurrence, occurrences } from "../text/positions.ts"
import { allTerms, type Questioned } from "./questioned.ts"
import { asksForFact } from "./questionKind.ts"
import { refersBack } from "./sentenceKind.ts"
import { type Statement, statements } from "./statements.ts"

export interface Reading {
  readonly stretch: string
  /** Whether a line such as `Author: Ada` tells what was asked for of what its title names; null for any other. */
  readonly told: boolean | null
  /** The terms of the statement itself; of a row, with the heads of its columns. */
  readonly all: ReadonlySet<string>
  /** The question's terms in it, and in the sentence that it refers back to. */
  readonly meant: ReadonlySet<string>
  /** And in its title, its headings and what else stands around it. */
  readonly near: ReadonlySet<string>
  /** And in the sentence before it. */
  readonly withPrevious: ReadonlySet<string>
  /** How much of the question these hold, the sentence before it counting less. */
  readonly share: number
  /** Where it begins with the sentence that it refers back to. */
  readonly start: number
  readonly isSupported: boolean
  /** Title, headings, the sentence before it, and what was said before. */
  readonly around: string
}

/** What the sentence before says counts so much for one that follows it. */
const CONTEXT = 0.6

/** Words of a sentence that are further apart say nothing about each other. */
const APART = 8

/** Of a document so much is looked through for its head. */
const HEAD = 2_000

/** What stands before the passage in its document is read, too, but answers nothing. */
export const statementsOf = ({ above = "", text }: Passage): ReadonlyArray<Statement> =>
  statements(above + text).filter(({ start }) => start >= above.length)

/** What a passage is called: by its title, and by the name of its file. */
export const calledOf = ({ file = "", title }: Passage): string => `${title}\n${file}`

/** The part of a sentence that holds most of the question, without what stands too far from the rest of it. */
const togetherIn = (text: string, { forms, share }: Evidence): string => {
  const groups: Array<Array<Occurrence>> = []
  for (const one of occurrences(text, forms)) {
    const group = groups.at(-1)
    if (group !== undefined && one.position - group.at(-1)!.position <= APART) group.push(one)
    else groups.push([one])
  }
  if (groups.length < 2) return text
  const shareOf = (group: ReadonlyArray<Occurrence>) => share(new Set(group.map(({ term }) => forms.get(term)!)))
  const best = groups.reduce((left, right) => shareOf(right) > shareOf(left) ? right : left)
  return text.slice(best[0]!.start, best.at(-1)!.end)
}

const LONGEST_HEADING = 100

/** What the first line without a label names, unless it is a sentence: the lines with labels above it tell of that. */
const headingBelow = ({ above = "", at = 0, text }: Passage, end: number): string => {
  if (above !== "" || at > 0) return ""
  const line = text.slice(0, HEAD).split("\n").find((one) => one.trim() !== "" && !isLabelled(one)) ?? ""
  const isHeading = line.length <= LONGEST_HEADING && !/[.!?:;,]$/u.test(line)
  return isHeading && text.indexOf(line) >= end ? line : ""
}

export const readingOf = (passage: Passage, statement: Statement, questioned: Questioned): Reading => {
  const { evidence, kind } = questioned
  const { share, supports, termsIn } = evidence
  const { above = "", context: said = "", day = "", text } = passage
  const { before, cells, end, form, headings, start, under } = statement
  const whole = above + text
  const stretch = whole.slice(start, end)
  const label = form === "sentence" ? labelOf(stretch) : null
  const says = form === "row" ? readRow(whole, cells) : stretch
  const read = label === null ? says : `${says}\n${label.says}`
  const precedes = before === null ? "" : whole.slice(before.start, before.end)
  const inPrevious = termsIn(precedes)
  const goesOn = form === "sentence" && before !== null && before.start >= above.length && refersBack(stretch)
  const meant = new Set([...termsIn(read), ...goesOn ? inPrevious : []])
  // The sentence before a table says what is in it.
  const announced = form === "row" ? inPrevious : []
  // One line before a text tells nothing of another.
  const over = [calledOf(passage), said, day, ...label === null ? [under] : [headings, headingBelow(passage, end)]]
  const near = new Set([...meant, ...announced, ...termsIn(over.join("\n"))])
  const withPrevious = new Set([...near, ...inPrevious])
  const together = form === "sentence" && label === null && asksForFact(kind) ? togetherIn(read, evidence) : read
  return {
    stretch,
    told: label === null ? null : tells(questioned, label, near),
    all: allTerms(says),
    meant,
    near,
    withPrevious,
    share: Math.max(share(near), CONTEXT * share(withPrevious)),
    start: goesOn ? before.start : start,
    isSupported: supports([...over, precedes, together]),
    around: [calledOf(passage), said, under, precedes].join("\n")
  }
}
