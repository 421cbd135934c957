/** Half-open, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Without white space at either end; empty if there is nothing else. */
export const trimmed = (text: string, { end, start }: Span): Span => {
  const part = text.slice(start, end)
  const lead = part.length - part.trimStart().length
  return { start: start + lead, end: start + lead + part.trim().length }
}
