/** Inverts the words of each text into the chunks of each word. */
import { MAX_COUNT } from "./postings.ts"
import type { WordLog } from "./WordLog.ts"
import type { TermColumns } from "./writeSegment.ts"

/** A word of the title counts as often as this many words of the text. */
export const TITLE_WEIGHT = 2

/** The content of the texts: the title of each document, then its chunks. */
interface Logged {
  /** The number of chunks of each document. */
  readonly chunkCounts: ReadonlyArray<number>
  /** Terms of the same texts, by language. */
  readonly logs: ReadonlyArray<WordLog>
}

/** Calls back for each chunk with its words; title words are repeated by their weight. */
const visitTexts = (
  { chunkCounts, logs }: Logged,
  visit: (log: WordLog, text: number, chunk: number) => void
): void => {
  let [text, chunk] = [0, 0]
  for (const count of chunkCounts) {
    const title = text++
    const end = chunk + count
    for (; chunk < end; chunk++, text++) {
      for (const log of logs) {
        for (let time = 0; time < TITLE_WEIGHT; time++) visit(log, title, chunk)
        visit(log, text, chunk)
      }
    }
  }
}

/** The number of occurrences of each term in the chunks. */
const timesOf = (termCount: number, logged: Logged): Uint32Array => {
  const times = new Uint32Array(termCount)
  visitTexts(logged, ({ ends, terms }, text) => {
    for (let at = ends[text - 1] ?? 0; at < ends[text]!; at++) times[terms[at]!]!++
  })
  return times
}

/** The chunks of each name. `found` repeats a chunk for each occurrence; the result has it once, with the count. */
const countTimes = (found: Uint16Array, starts: Uint32Array) => {
  const counts = new Uint8Array(found.length)
  const offsets = new Uint32Array(starts.length)
  let size = 0
  for (let place = 0; place + 1 < starts.length; place++) {
    let last = -1
    for (let at = starts[place]!; at < starts[place + 1]!; at++) {
      const chunk = found[at]!
      if (chunk === last) {
        counts[size - 1] = Math.min(MAX_COUNT, counts[size - 1]! + 1)
        continue
      }
      last = chunk
      found[size] = chunk
      counts[size++] = 1
    }
    offsets[place + 1] = size
  }
  return { chunks: found, counts, offsets }
}

/** `terms` maps each name to its term. */
export const invert = (names: ReadonlyArray<string>, terms: Uint32Array, logged: Logged): TermColumns => {
  const next = timesOf(names.length, logged)
  const starts = new Uint32Array(names.length + 1)
  for (let place = 0; place < names.length; place++) {
    const term = terms[place]!
    starts[place + 1] = starts[place]! + next[term]!
    next[term] = starts[place]!
  }
  const found = new Uint16Array(starts[names.length]!)
  visitTexts(logged, ({ ends, terms }, text, chunk) => {
    for (let at = ends[text - 1] ?? 0; at < ends[text]!; at++) found[next[terms[at]!]!++] = chunk
  })
  return { names, ...countTimes(found, starts) }
}
