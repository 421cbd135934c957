/**
 * Adjacent characters that the segmenter takes for a word each, because it does not know the word that they are: `微信`.
 * Each two are a term as well.
 */
import { termOf } from "../words.ts"

const FIRST_HAN = 0x2e80

const IS_HAN = /^\p{Script=Han}$/u

/** Takes every word, in order. */
export const pairFinder = (text: string, visit: (term: string) => void): (start: number, end: number) => void => {
  let lastEnd = -1
  return (start, end) => {
    if (end - start > 1 || text.charCodeAt(start) < FIRST_HAN || !IS_HAN.test(text.charAt(start))) return
    if (start === lastEnd) visit(termOf(text.slice(start - 1, end)))
    lastEnd = end
  }
}
