/** Whether what is shown for a question holds its answer. */
import type { SetQuestion } from "./questionSets.ts"

/** A stretch of a document that is shown. */
export interface Shown {
  readonly text: string
  /** The document's id in its set; null for text that is of no single document. */
  readonly document: string | null
  readonly title: string | null
}

const folded = (text: string): string =>
  text.replaceAll(/[\u2018\u2019\u201a\u201b`\u00b4]/g, "'").replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, "\"")
    .replaceAll(/\s+/g, " ")

/** Makes the expressions of a question once: there are many texts to try them on. */
export const judgeOf = ({ docs = [], gold = [], gold_ts = false, strict = false, title = false }: SetQuestion) => {
  const expressions = gold.map((one) => new RegExp(one, "i"))
  const holds = (text: string) => expressions.some((one) => one.test(folded(text)) || one.test(text))
  return (shown: ReadonlyArray<Shown>): boolean =>
    shown.some((one) => {
      const isOfDocument = one.document !== null && docs.includes(one.document)
      if (strict && !isOfDocument) return false
      return holds(one.text) || (title && one.title !== null && holds(one.title)) || (gold_ts && isOfDocument)
    })
}
