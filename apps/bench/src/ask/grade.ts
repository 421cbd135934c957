/** Whether the excerpts for a question contain its answer. */
import type { SetQuestion } from "./questionSets.ts"

/** An excerpt of a document. */
export interface Shown {
  readonly text: string
  /** The document's id in its set; null for text of several documents. */
  readonly document: string | null
  readonly title: string | null
}

const folded = (text: string): string =>
  text.replaceAll(/[\u2018\u2019\u201a\u201b`\u00b4]/g, "'").replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, "\"")
    .replaceAll(/\s+/g, " ")

/** Compiles the expressions of a question once, for many texts. */
export const graderOf = ({ docs = [], gold = [], gold_ts = false, strict = false, title = false }: SetQuestion) => {
  const expressions = gold.map((one) => new RegExp(one, "i"))
  const holds = (text: string) => expressions.some((one) => one.test(folded(text)) || one.test(text))
  return (shown: ReadonlyArray<Shown>): boolean =>
    shown.some((one) => {
      const isOfDocument = one.document !== null && docs.includes(one.document)
      if (strict && !isOfDocument) return false
      return holds(one.text) || (title && one.title !== null && holds(one.title)) || (gold_ts && isOfDocument)
    })
}
