/** Filters of a list, kept in the page's address. */
export interface ListSearch {
  /** Words that a row has to contain. */
  readonly q?: string
  /** One of the page's own choices. */
  readonly is?: string
}

export const listSearchOf = ({ is, q }: Record<string, unknown>): ListSearch => ({
  ...(typeof q === "string" && q !== "" ? { q } : {}),
  ...(typeof is === "string" && is !== "" ? { is } : {})
})

/** Whether all words occur in the texts. */
export const hasWords = ({ q = "" }: ListSearch, ...texts: ReadonlyArray<string | null>): boolean => {
  const all = texts.join("\n").toLowerCase()
  return q.toLowerCase().split(/\s+/).every((word) => all.includes(word))
}
