/**
 * Numbers above the line, of notes and powers, which are no part of the word or number beside them. Units such as m²
 * stay whole.
 */

const NUMBER = /^[-+\u2212]?\d{1,3}$/
const WORD_BEFORE = /(?:\p{L}{3}|\d)$/u
const WORD_AFTER = /^\p{L}/u

/** Whether such a number is apart from the text before it. */
export const isApartFrom = (before: string, raised: string): boolean =>
  NUMBER.test(raised) && WORD_BEFORE.test(before.slice(-3))

/** Whether such a number is apart from the text after it. */
export const isApartBefore = (raised: string, after: string): boolean => NUMBER.test(raised) && WORD_AFTER.test(after)
