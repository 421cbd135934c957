/** Words of scripts without spaces are searched by their pairs of characters. */
import { isScriptStopWord } from "../../text/scripts.ts"
import { visitWords } from "../../text/words.ts"

const IS_ASCII = /^[\x00-\x7f]*$/

/**
 * For each pair of characters of a longer word, what it counts: all of a word's pairs together as the root of their
 * number. They mostly occur together, so with the weight of words a long one would outweigh the rest of the query. Those
 * of stop words count nothing.
 */
export const characterPairs = (text: string): ReadonlyMap<string, number> => {
  const pairs = new Map<string, number>()
  if (IS_ASCII.test(text)) return pairs
  let word: Array<string> = []
  let first = 0
  let last = 0
  const close = () => {
    if (word.length > 1) {
      const weight = isScriptStopWord(text.slice(first, last)) ? 0 : 1 / Math.sqrt(word.length)
      for (const pair of word) pairs.set(pair, Math.max(weight, pairs.get(pair) ?? 0))
    }
    word = []
  }
  visitWords(text, (start, end) => {
    if (start >= last) {
      close()
      first = start
    }
    word.push(text.slice(start, end))
    last = end
  })
  close()
  return pairs
}
