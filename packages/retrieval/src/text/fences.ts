/** Fenced code in Markdown. */
const FENCE = /^[ \t]*(?:`{3,}|~{3,})[ \t]*(\S?)/gm

const BLANK_LINE = /^\n[ \t]*(?:\n|$)/

/**
 * Whether a text that was cut out of a longer one starts within code. Fences alternate, and only one that opens code has
 * the name of a language behind it. Without names, the first one closes code if a blank line follows it.
 */
export const startsInCode = (text: string): boolean => {
  const fences = [...text.matchAll(FENCE)]
  const [first] = fences
  const named = fences.findIndex(([, name]) => name !== "")
  if (named >= 0) return named % 2 === 1
  return first !== undefined && BLANK_LINE.test(text.slice(first.index + first[0].length))
}
