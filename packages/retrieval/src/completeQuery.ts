/** A query whose last word is still being written: what it may become. */
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { termsWithPrefix } from "./Segment.ts"
import { raritiesOf } from "./scoring.ts"
import { termOf, visitWords } from "./words.ts"

/** So many of the words that it may become are looked for. */
const MOST = 10

/** A stem may be shorter than what was written of its word: `meetin` goes on to `meeting`, which stands as `meet`. */
const LONGEST_ENDING = 2

/** A shorter beginning goes on to nearly anything. */
const SHORTEST = 2

const lastWordOf = (text: string): string => {
  let word = ""
  visitWords(text, (start, end) => {
    word = end === text.length ? text.slice(start, end) : ""
  })
  return word
}

/** In the form of terms, but for its ending. */
const bare = (word: string): string => word.normalize("NFKD").toLowerCase().replaceAll(/\p{Script=Inherited}/gu, "")

const completionsOf = (parts: ReadonlyArray<ViewPart>, beginning: string): ReadonlySet<string> => {
  const found = parts.flatMap(({ segment }) => termsWithPrefix(segment, beginning, MOST))
  if (found.length > 0) return new Set(found.sort().slice(0, MOST))
  // A word that merely begins alike is another word: only a whole stem will do.
  for (let length = beginning.length - 1; length >= Math.max(SHORTEST, beginning.length - LONGEST_ENDING); length--) {
    const stem = beginning.slice(0, length)
    if (parts.some(({ segment }) => termsWithPrefix(segment, stem, 1)[0] === stem)) return new Set([stem])
  }
  return new Set()
}

/** The query itself when its last word stands somewhere or has a digit, as names do, or when nothing begins like it. */
export const completeQuery = (parts: ReadonlyArray<ViewPart>, query: Query, text: string): Query => {
  const word = lastWordOf(text)
  const last = termOf(word)
  if (word.length < SHORTEST || /\p{N}/u.test(word) || !query.weights.has(last) || raritiesOf(parts, query).has(last)) {
    return query
  }
  const completions = completionsOf(parts, bare(word))
  if (completions.size === 0) return query
  const rest = [...query.weights].filter(([term]) => term !== last)
  return { ...query, weights: new Map([...rest, ...[...completions].map((term) => [term, 1] as const)]) }
}
