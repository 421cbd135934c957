/** Words of scripts without spaces are searched by their pairs of characters. */
import { visitWords } from "../../text/words.ts"

const IS_ASCII = /^[\x00-\x7f]*$/

/**
 * For each pair of characters of a longer word, what it counts: all of a word's pairs together as the root of their
 * number. They mostly occur together, so with the weight of words a long one would outweigh the rest of the query.
 */
export const characterPairs = (text: string): ReadonlyMap<string, number> => {
  const pairs = new Map<string, number>()
  if (IS_ASCII.test(text)) return pairs
  let word: Array<string> = []
  let last = 0
  const close = () => {
    if (word.length > 1) { for (const pair of word) pairs.set(pair, 1 / Math.sqrt(word.length)) }
    word = []
  }
  visitWords(text, (start, end) => {
    if (start >= last) close()
    word.push(text.slice(start, end))
    last = end
  })
  close()
  return pairs
}
