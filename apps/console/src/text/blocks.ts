/** Splits a long text into blocks, so that only visible ones are rendered. Concatenated they are the text. */

export interface Block {
  /** In UTF-16 code units. */
  readonly start: number
  readonly text: string
}

/** A block ends at the first good place after this many characters. */
const GOOD = 4_000
/** Maximum length of a block, because a text may be a single line. */
const LONGEST = 20_000

const isFence = (line: string): boolean => /^ {0,3}(```|~~~)/.test(line)

/** Never splits a surrogate pair. */
const cut = (text: string, at: number): number => /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at + 1 : at

/**
 * At blank lines, as Markdown has them between its blocks; never within a fenced one, and not before an indented line,
 * which continues an item, unless it is very long.
 */
export const blocksOf = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let start = 0
  let inFence = false
  const end = (at: number): void => {
    if (at > start) blocks.push({ start, text: text.slice(start, at) })
    start = at
  }
  for (let line = 0; line < text.length;) {
    const newline = text.indexOf("\n", line)
    const next = newline === -1 ? text.length : newline + 1
    const isBlank = next - line <= 2 && text.slice(line, next).trim() === ""
    if (!isBlank && isFence(text.slice(line, Math.min(next, line + 8)))) inFence = !inFence
    if (isBlank && !inFence && next - start >= GOOD && !/[ \t]/.test(text.charAt(next))) end(next)
    if (next - start > LONGEST && line > start) {
      end(line)
      inFence = false
    }
    // A line that is longer than a block.
    for (let at = start + LONGEST; at < next; at = start + LONGEST) end(cut(text, at))
    line = next
  }
  end(text.length)
  return blocks
}
