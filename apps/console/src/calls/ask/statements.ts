/** Splits an answer into statements with the markers of their citations. */

export interface Statement {
  readonly text: string
  readonly markers: ReadonlyArray<number>
}

/** A text and the citation markers after it. The last one may lack markers while the answer streams. */
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
