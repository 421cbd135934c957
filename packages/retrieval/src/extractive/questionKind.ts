/** What a question wants to know: a moment, a person, a place, an amount, a stretch of time, yes or no, or something else. */
import { folded, languageOf } from "./languages.ts"
import { STOP_WORDS } from "../text/stopWords.ts"
import { termOf } from "../text/words.ts"

export type QuestionKind =
  | "when"
  | "who"
  | "where"
  | "amount"
  | "price"
  | "times"
  | "duration"
  | "definition"
  | "reason"
  | "yes_no"
  | "other"

const SUM = "(?:price|cost|rent|fee|fare|salary|budget|bill)"

const PATTERNS: ReadonlyArray<readonly [QuestionKind, RegExp]> = [
  ["times", /\bhow\s+(?:often\s+(?:did|was|were|has|have|had)|many\s+times)\b/iu],
  ["duration", /\bhow\s+(?:long|often|old|soon|late)\b/iu],
  [
    "price",
    new RegExp(
      `\\bhow\\s+(?:expensive\\b|much\\b.*\\b(?:costs?|pays?|paid|charges?|spen[dt]|earns?|owes?)\\b|(?:high|big|large|much)\\s+(?:is|was|are|were)\\b.*\\b${SUM}\\b)|\\bwhat\\s+(?:is|was|are|were)\\s+the\\s+(?:\\p{L}+\\s+)?${SUM}\\b`,
      "iu"
    )
  ],
  [
    "amount",
    /\bhow\s+(?:many|much|far|big|large|high|tall|deep|fast)\b|\bwhat\s+(?:is|was|are|were)\s+the\s+(?:number|amount|size|age)\b/iu
  ],
  ["when", /\bwhen\b|\b(?:what|which)\s+(?:day|date|time|month|year)\b/iu],
  ["where", /\bwhere\b|\b(?:what|which)\s+(?:room|place|city|country|building|floor|location)\b/iu],
  ["reason", /^\s*why\b/iu],
  ["definition", /^\s*what(?:['\u2019]s|\s+(?:is|are|was|were))\s/iu],
  ["who", /\bwho(?:m|se)?\b/iu],
  [
    "yes_no",
    /^\s*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)(?:n['\u2019]t)?\s/iu
  ]
]

export const questionKind = (question: string): QuestionKind => {
  const language = languageOf(question)
  const [kinds, asked] = language === null ? [PATTERNS, question] : [language.kinds, folded(question)]
  return kinds.find(([, pattern]) => pattern.test(asked))?.[0] ?? "other"
}

/** Without an amount no sentence answers a question for one, nor without a place a question for that. */
const NEEDS_SPAN: ReadonlySet<QuestionKind> = new Set(["amount", "price", "times", "duration", "where"])

/** Whether only a sentence answers that holds the very words asked for. */
export const needsSpan = (kind: QuestionKind): boolean => NEEDS_SPAN.has(kind)

/** Whether the answer is a few words, which stand near those that tell what they are of. */
export const asksForFact = (kind: QuestionKind): boolean => needsSpan(kind) || kind === "who" || kind === "when"

const PLURAL = /(?:[^s]s|people|children|women|men|feet|teeth|mice)$/iu

/** The terms of what is counted, the noun last: of `choir rehearsals` in `How many choir rehearsals are there?`. */
export const countedTerms = (question: string): ReadonlyArray<string> => {
  const language = languageOf(question)
  if (language !== null) return language.counted.exec(folded(question))?.slice(1).map(termOf) ?? []
  const [, after = ""] = /\bhow\s+many\s+(?!times\b)(.*)/isu.exec(question) ?? []
  const words = after.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const isSmall = (word: string) => STOP_WORDS.has(word.toLowerCase())
  const rest = words.slice(Math.max(0, words.findIndex((word) => !isSmall(word))))
  const end = rest.findIndex(isSmall)
  const named = end === -1 ? rest : rest.slice(0, end)
  const noun = named.findLastIndex((word) => PLURAL.test(word))
  return named.slice(0, Math.max(noun, 0) + 1).map(termOf)
}
