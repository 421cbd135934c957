/** The sentences of a text, each a verbatim stretch of it. */
import { borderBefore } from "./characters.ts"
import { CLOSING } from "./closing.ts"
import { type Span, trimmed } from "./Span.ts"

/** A line without an end is cut at words into stretches of about this length. */
const MAX_LENGTH = 400

// A text may be one long run of any of these signs. Runs are bounded, or lazy: the engine of regular expressions keeps a
// way back for every character of a greedy one, and its stack would overflow.
const END = new RegExp(
  [
    `[.!?\\u2026]{1,2}${CLOSING}{0,8}(?=\\s)`,
    // A quoted sentence may be part of another one: 「はい。」と言った。
    "[\\u3002\\uff01\\uff1f](?![\\u3002\\uff01\\uff1f\\u201d\\u300d\\u300f\\uff09])",
    "\\n\\s*?\\n",
    "\\n(?=\\s*?(?:[-*+#>|]|\\d{1,9}[.)]\\s|\\p{Lu}\\p{L}{1,20}(?: \\p{L}{1,20}){0,2}: ))",
    "(?<line>\\n)"
  ].join("|"),
  "gu"
)

/** `Dr.`, `e.g.`, `J.`: a stop that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|\p{L}\.\p{L}|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|vs|etc|cf|[Ff]ig|[Nn]o|[Ee]q|approx|[Ii]nc|[Ll]td|[Cc]o|[Jj]r|[Ss]r|[Nn]r|[Aa]bs|ca|bzw|ggf|evtl|inkl|Hr|Sra|[Pp]ág|[Nn]úm|ej|[Сс]м|[Рр]ис|[Сс]тр|[Тт]абл|ул)$/u

/** Whether the end of a text makes the preceding full stop part of a word. */
const endsInAbbreviation = (text: string): boolean => ABBREVIATION.test(text)

/** `3.` before an item of a list. */
const NUMBER = /^\s*\d{1,3}$/

const MAX_DATE = 40

/** `2026-03-01 Cache lost`, `[09:15] Ada`: a line of a log. */
const DATED_LINE = /^[ \t]*\[?(?:(?:19|20)\d{2}-\d{2}-\d{2}|\d{1,2}[.:/]\d{2})(?!\p{L})/u

/** Whether a log line begins there: a single line that begins with a date may be part of wrapped prose. */
const isNextLine = (text: string, at: number): boolean => {
  if (!DATED_LINE.test(text.slice(at + 1, at + 1 + MAX_DATE))) return false
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  return before.trimEnd().endsWith(":") || DATED_LINE.test(before.slice(0, MAX_DATE))
}

const isEnd = (text: string, start: number, match: RegExpExecArray): boolean => {
  if (match.groups?.["line"] !== undefined) return isNextLine(text, match.index)
  if (match[0] !== ".") return true
  const before = text.slice(Math.max(start, match.index - 8), match.index)
  return !endsInAbbreviation(before) && !(match.index - start < 8 && NUMBER.test(before))
}

/** Where to cut a sentence that is too long: after a word of its second half, else between two whole characters. */
const cutWithin = (text: string, start: number): number => {
  const space = text.slice(start, start + MAX_LENGTH + 1).lastIndexOf(" ")
  return borderBefore(text, start, start + (space > MAX_LENGTH / 2 ? space : MAX_LENGTH))
}

/** The text between two ends, without white space. */
function* pieces(text: string, from: number, to: number): Generator<Span> {
  let start = from
  while (start < to) {
    const end = to - start > MAX_LENGTH ? cutWithin(text, start) : to
    const piece = trimmed(text, { start, end })
    if (piece.start < piece.end) yield piece
    start = end
  }
}

/** Yields one at a time, for callers that may not need all. */
export function* eachSentence(text: string): Generator<Span> {
  let start = 0
  for (const match of text.matchAll(END)) {
    if (!isEnd(text, start, match)) continue
    const end = match.index + match[0].length
    yield* pieces(text, start, end)
    start = end
  }
  yield* pieces(text, start, text.length)
}

export const sentences = (text: string): ReadonlyArray<Span> => [...eachSentence(text)]
