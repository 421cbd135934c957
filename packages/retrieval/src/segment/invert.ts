/** From which words stand in each text to which chunks hold each word. */
import { MAX_COUNT } from "./postings.ts"
import type { WordLog } from "./WordLog.ts"
import type { TermColumns } from "./writeSegment.ts"

/** A word of the title counts as much as so many of the text. */
export const TITLE_WEIGHT = 2

/** What stands in the texts: each document's title, then its chunks. */
export interface Logged {
  /** For each document how many chunks it has. */
  readonly chunkCounts: ReadonlyArray<number>
  /** Of the same texts, each with terms of its own. */
  readonly logs: ReadonlyArray<WordLog>
}

/** In the order of the chunks, each with what stands in it: of its title as often as that counts. */
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

/** For each term how often it stands in the chunks. */
const timesOf = (termCount: number, logged: Logged): Uint32Array => {
  const times = new Uint32Array(termCount)
  visitTexts(logged, ({ ends, terms }, text) => {
    for (let at = ends[text - 1] ?? 0; at < ends[text]!; at++) times[terms[at]!]!++
  })
  return times
}

/** The chunks of each name, of which `found` has one as often as it holds the name: there each once, and how often. */
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

/** `terms` tells for every name which term it is. */
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
