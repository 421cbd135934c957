/** A text without the differences that a copied quote may have, and where each of its characters comes from. */

export interface FoldedText {
  readonly text: string
  /** Per UTF-16 code unit of `text`: where in the source it comes from. */
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const TOKEN = new RegExp(
  [
    // White space with the marks that are alone in it: bullets, headings, block quotes, table cells and rules.
    String.raw`(?<space>(?:[\s|]|(?<=[\s|])(?:[-–—*+•·>]|#{1,6}|[-–—:=|]{2,}|\[[ xX]\])(?=[\s|]|$))+)`,
    // Emphasis, code, the brackets and addresses of links, escapes, and what is never seen: soft hyphens, directions.
    String
      .raw`(?<nothing>[*_${"`"}~\p{DI}]|!?\[|\]\([^()\s]*(?:\s+"[^"]*")?\)|\]|\\(?=[!-/:-@[-${"`"}{-~]))`,
    String.raw`(?<quotation>["'‘’‚‛′“”„‟″«»‹›])`,
    String.raw`(?<dash>[-‐‑‒–—―−])`,
    String.raw`(?<plain>[a-z0-9,.;:()/]+)`,
    String.raw`(?<other>\P{M}\p{M}*|\p{M}+)`
  ].join("|"),
  "gsu"
)

/** Lower case first: it decomposes some capitals itself. */
const fold = (character: string): string => character.toLowerCase().normalize("NFKD").replace(/\p{DI}/gu, "")

export const foldText = (source: string): FoldedText => {
  let text = ""
  // Kept apart: a look at the end of a text that grows copies it.
  let last = " "
  const starts: Array<number> = []
  const ends: Array<number> = []
  const append = (folded: string, start: number, end: number) => {
    text += folded
    last = folded.at(-1) ?? last
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(start)
      ends.push(end)
    }
  }
  // The line break lets the first line begin with a mark, as every other line may.
  for (const { 0: token, groups = {}, index } of `\n${source}`.matchAll(TOKEN)) {
    const start = index - 1
    const end = start + token.length
    if (groups["plain"] !== undefined) {
      for (let unit = 0; unit < token.length; unit++) append(token[unit]!, start + unit, start + unit + 1)
    } else if (groups["space"] !== undefined) {
      if (last !== " ") append(" ", start, end)
    } else if (groups["quotation"] !== undefined) append("'", start, end)
    else if (groups["dash"] !== undefined) append("-", start, end)
    else if (groups["nothing"] === undefined) append(fold(token), start, end)
  }
  return { text, starts, ends }
}
