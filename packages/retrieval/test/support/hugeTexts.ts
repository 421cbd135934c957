/** Texts of ten million characters, each of which may be too much for somebody who reads it sign by sign. */
import { extent } from "../../../../.ci/extent.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { sentences } from "../../src/text/sentences.ts"
import { snippet } from "../../src/search/snippet.ts"
import { visitWords } from "../../src/text/words.ts"

const SIZE = 10_000_000

interface HugeText {
  readonly what: string
  readonly text: string
  /** How many there are to find in it. */
  readonly words: number
}

const repeated = (what: string, piece: string, words = 0): HugeText => ({
  what,
  text: piece.repeat(SIZE / piece.length),
  words: words * SIZE / piece.length
})

const behind = (beginning: string, huge: HugeText): HugeText => ({ ...huge, text: `${beginning}${huge.text}` })

const ALL: ReadonlyArray<HugeText> = [
  repeated("one word", "a"),
  repeated("one word with accents", "é"),
  repeated("one line", "word ", 1),
  behind("a", repeated("marks without end", "\u0301")),
  repeated("halves of pairs", "\ud83d"),
  repeated("stops", "."),
  repeated("stops of another script", "\u3002"),
  repeated("stops between letters", "a.", 1),
  behind(".", repeated("closing signs", ")")),
  repeated("stops that are closed", ".\""),
  repeated("open quotes", "\u201c"),
  repeated("spaces", " "),
  behind("\n", repeated("spaces that begin a line", " ")),
  repeated("ends of lines", "\n"),
  repeated("empty lines", "\n "),
  behind("\n", repeated("digits that begin a line", "1")),
  repeated("marks of lists", "-"),
  repeated("marks of emphasis", "*"),
  repeated("marks of headings", "#"),
  repeated("bars", "|"),
  repeated("fences", "`"),
  repeated("signs that join", "a-", 1),
  repeated("zeros", "\u0000")
]

export const HUGE = ALL.filter((_, at) => at % extent(12, 1) === 0)

/** A string with one such sign takes two bytes for each of its characters, and is read by other code. */
export const withSignBehind = (huge: HugeText): HugeText => ({ ...huge, text: `${huge.text} \u2620` })

const countWords = (text: string): number => {
  let count = 0
  visitWords(text, () => count++)
  return count
}

/** Throws where it is not. In a process without a test runner, too. */
export const readToItsEnd = ({ text, what, words }: HugeText): void => {
  const read = sentences(text).reduce((sum, { end, start }) => sum + end - start, 0)
  const some = text.slice(0, SIZE / 10)
  const promises = {
    words: countWords(text) === words,
    sentences: read >= text.trim().length * 0.8,
    snippet: snippet(some, parseQuery("word")).text.length <= 240,
    query: parseQuery(some).weights.size <= 64
  }
  for (const [name, isKept] of Object.entries(promises)) if (!isKept) throw new Error(`${name} of ${what}`)
}
