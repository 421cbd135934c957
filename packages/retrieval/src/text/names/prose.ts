/** What no name looks like. */

// No text matches both, so that a long one is not tried in many ways.
const WORD = "(?:\\p{L}[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{Lu}{2,}s?)"

/** An apostrophe, a hyphen, a joiner, a dash, and punctuation without a space after it; but not the comma of `N,N-`. */
const JOIN =
  "(?:['\u2019\\-\u00ad\u200c\u200d\u2010\u2011\u2013\u2014\u2026;!?]|(?<=\\p{L}{2}),(?=\\p{L}{2})|--|\\.{2,})"

const COMPOUND = `${WORD}(?:${JOIN}${WORD})*`

/** `Word`, `IRAs`, `his/her`, `note:this`, `O'Brien`, `state-of-the-art`, but not `B-AB`; `e.g`; `2024`, `10th`; signs. */
const IS_PROSE = new RegExp(
  [
    `^(?:-(?!\\p{L}{1,2}$))?(?!\\p{Lu}+-[\\p{Lu}-]+$)${COMPOUND}(?:[/:]${COMPOUND})?$`,
    "^\\p{L}(?:\\.\\p{L})+$",
    "^\\p{N}{1,4}(?:\\p{Ll}{1,2})?$",
    "^[^\\p{L}\\p{N}]*$"
  ].join("|"),
  "u"
)

/** Whether prose has such words. */
export const isProse = (text: string): boolean => IS_PROSE.test(text)
