/** Part of a Markdown text as it is shown: code that is cut out of a block has fences of its own. */
import { type Span, startsInCode } from "@tributary/retrieval"

const FENCE = /^[ \t]*(?:```|~~~)/gm

const fencesIn = (text: string): number => (text.match(FENCE) ?? []).length

export const fenced = (text: string, { end, start }: Span): string => {
  const part = text.slice(start, end)
  const before = fencesIn(text.slice(0, start)) + (startsInCode(text) ? 1 : 0)
  const opened = before % 2 === 1 ? `\`\`\`\n${part}` : part
  return fencesIn(opened) % 2 === 1 ? `${opened.trimEnd()}\n\`\`\`` : opened
}
