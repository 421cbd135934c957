/** The text of a page of a PDF, from the runs of characters that draw it, and where they are. */
import { withAccent } from "./drawnAccents.ts"
import { isApartBefore, isApartFrom } from "../raisedNumbers.ts"

/** What is drawn at once. */
export interface Run {
  readonly str: string
  readonly dir: string
  /** The direction of its line, and where it starts. */
  readonly transform: ReadonlyArray<number>
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
}

/** The width of a narrow space, as a share of the height of a line. */
const SPACE = 0.2

/** Whether one of two neighbours is a number above the other, and no part of it. */
const isNumberBeside = (before: Run, run: Run, up: number): boolean => {
  const isRaised = (number: Run, other: Run, by: number) =>
    number.height < 0.9 * other.height && by > 0.1 * other.height
  return (isRaised(before, run, -up) && isApartBefore(before.str, run.str)) ||
    (isRaised(run, before, up) && isApartFrom(before.str, run.str))
}

/** Where a run is in relation to the one before: after its start, and above its line. */
const placeAfter = (before: Run, run: Run): { readonly ahead: number; readonly above: number } => {
  const [a = 1, b = 0, , , x = 0, y = 0] = before.transform
  const scale = Math.hypot(a, b) || 1
  const [right, up] = [run.transform[4]! - x, run.transform[5]! - y]
  return { ahead: (right * a + up * b) / scale, above: (up * a - right * b) / scale }
}

/** The library reports no space or line break where runs are placed one by one, as in scans that were recognized. */
const separatorOf = (before: Run, run: Run): string => {
  if (before.dir === "ttb") return ""
  const { above, ahead } = placeAfter(before, run)
  const height = Math.max(before.height, run.height)
  if (Math.abs(above) > height / 2) return "\n"
  const gap = Math.max(ahead - before.width, -ahead - run.width)
  const isOrdered = run.dir !== "rtl" && ahead > 0
  return gap > height * (isOrdered ? 1 : SPACE) || isNumberBeside(before, run, above) ? " " : ""
}

/** Whether the last character of a run is drawn over the next one. */
const isOver = (before: Run, run: Run): boolean => {
  const { above, ahead } = placeAfter(before, run)
  return ahead >= 0 && ahead < before.width - SPACE * run.height && Math.abs(above) < run.height
}

const isBlank = ({ str }: Run): boolean => str.trim() === ""

/** Neighbours of one direction; spaces between those of two are apart. */
const groupsIn = (line: ReadonlyArray<Run>): ReadonlyArray<ReadonlyArray<Run>> => {
  const groups: Array<Array<Run>> = []
  let blanks: Array<Run> = []
  for (const run of line) {
    const group = groups.at(-1)
    if (isBlank(run)) blanks.push(run)
    else if (group?.[0]!.dir === run.dir) group.push(...blanks, run)
    else groups.push(blanks, [run])
    if (!isBlank(run)) blanks = []
  }
  return [...groups, blanks]
}

/** Some programs draw Arabic and Hebrew from the left to the right. */
const inReadingOrder = (line: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const shown = line.filter((run) => !isBlank(run))
  const fromRight = shown.filter(({ dir }) => dir === "rtl").length
  const isDrawnLeftToRight = shown.every((run, at) => at === 0 || run.transform[4]! > shown[at - 1]!.transform[4]!)
  if (fromRight === 0 || !isDrawnLeftToRight) return line
  const groups = groupsIn(line).map((group) => group[0]?.dir === "rtl" ? group.toReversed() : group)
  return (2 * fromRight > shown.length ? groups.toReversed() : groups).flat()
}

const lineText = (line: ReadonlyArray<Run>): string => {
  const parts: Array<string> = []
  /** The last run, unless what follows it is apart already. */
  let before: Run | null = null
  for (const run of inReadingOrder(line)) {
    const last = parts.at(-1) ?? ""
    const accented = before !== null && isOver(before, run) ? withAccent(last.slice(-1), run.str) : null
    if (accented !== null) parts[parts.length - 1] = last.slice(0, -1)
    else if (before !== null && !isBlank(run)) parts.push(separatorOf(before, run))
    parts.push(accented ?? run.str)
    if (/\s$/.test(run.str)) before = null
    else if (!isBlank(run)) before = run
  }
  return parts.join("")
}

interface Line {
  readonly first: Run
  readonly text: string
}

const linesOf = (runs: ReadonlyArray<Run>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let start = 0
  runs.forEach(({ hasEOL }, at) => {
    if (!hasEOL && at + 1 < runs.length) return
    const line = runs.slice(start, at + 1)
    const first = line.find((run) => !isBlank(run))
    if (first !== undefined) lines.push({ first, text: lineText(line) })
    start = at + 1
  })
  return lines
}

/** How far a line is below another one, in heights of a line; 0 if it is beside or above it, as in the next column. */
const leadingOf = (before: Run, run: Run): number => {
  const leading = before.dir === "ttb" ? 0 : -placeAfter(before, run).above / Math.max(before.height, run.height)
  return leading > 0.5 ? leading : 0
}

const isRightOf = (run: Run, other: Run): boolean => placeAfter(other, run).ahead > run.height / 2

/** Between paragraphs is more space than between their lines, as a multiple of it. */
const PARAGRAPH = 1.25

const ENDS_SENTENCE = /[.!?:…。！？：]["'”’»)\]」』）]{0,8}$/u

/** Lines, with an empty one between paragraphs: after more space than usual, or before one whose first line is indented. */
export const textOf = (runs: ReadonlyArray<Run>): string => {
  const lines = linesOf(runs)
  const leadings = lines.map(({ first }, at) => at === 0 ? 0 : leadingOf(lines[at - 1]!.first, first))
  const sorted = leadings.filter((leading) => leading > 0).sort((one, other) => one - other)
  const usual = sorted[sorted.length >>> 1] ?? 0
  const isParagraph = (at: number): boolean => {
    const [before, { first }, next] = [lines[at - 1]!, lines[at]!, lines[at + 1]]
    return leadings[at]! > PARAGRAPH * usual || ENDS_SENTENCE.test(before.text) && isRightOf(first, before.first) &&
        next !== undefined && isRightOf(first, next.first)
  }
  return lines.map(({ text }, at) => at > 0 && isParagraph(at) ? `\n${text}` : text).join("\n").trim()
}

/** Longer words are not divided, and long lines are read once. */
const MAX_WORD = 64

/** The words before and after a hyphen. */
const wordsAround = (text: string, at: number, length: number): string => {
  const after = at + length
  const first = /\p{L}+$/u.exec(text.slice(Math.max(0, at - MAX_WORD), at))?.[0] ?? ""
  const second = /^\p{L}+/u.exec(text.slice(after, after + MAX_WORD))?.[0] ?? ""
  return `${first}-${second}`.toLowerCase()
}

/** A hyphen at the end of a line divides a word, unless the words have one within a line, too. */
export const undivided = (text: string): string => {
  const compounds = new Set(
    [...text.matchAll(/(?<=\p{L})-(?=\p{L})/gu)].map(({ index }) => wordsAround(text, index, 1))
  )
  return text.replaceAll(
    /(?<=\p{L})[-\u00ad\u2010]\n(?=\p{Ll})/gu,
    (hyphen, at: number) => compounds.has(wordsAround(text, at, hyphen.length)) ? "-" : ""
  )
}
