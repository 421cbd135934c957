/** An answer, statement by statement: what is said, and the markers of what it rests on. */

export interface Statement {
  readonly text: string
  readonly markers: ReadonlyArray<number>
}

/** Some text and the markers that follow it. What has no marker yet, as while it is streamed, has none. */
export const statementsOf = (response: string): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  let at = 0
  for (const match of response.matchAll(/(?:\s*\[\d+\])+/g)) {
    const text = response.slice(at, match.index).trim()
    const markers = Array.from(match[0].matchAll(/\d+/g), ([marker]) => Number(marker))
    at = match.index + match[0].length
    if (text !== "") statements.push({ text, markers })
  }
  const rest = response.slice(at).replace(/^[\s.,;]+/, "").trim()
  return rest === "" ? statements : [...statements, { text: rest, markers: [] }]
}
