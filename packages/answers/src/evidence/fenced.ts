/** Part of a Markdown text as it is shown: code that is cut out of a block has fences of its own. */

const FENCE = /^[ \t]*(?:```|~~~)/gm

const isInside = (text: string): boolean => (text.match(FENCE) ?? []).length % 2 === 1

export const fenced = (text: string, { end, start }: { readonly start: number; readonly end: number }): string => {
  const part = text.slice(start, end)
  const opened = isInside(text.slice(0, start)) ? `\`\`\`\n${part}` : part
  return isInside(opened) ? `${opened.trimEnd()}\n\`\`\`` : opened
}
