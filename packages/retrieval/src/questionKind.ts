/** What a question wants to know: a moment, a person, a place, an amount, a stretch of time, yes or no, or something else. */

export type QuestionKind = "when" | "who" | "where" | "amount" | "duration" | "definition" | "yes_no" | "other"

const PATTERNS: ReadonlyArray<readonly [QuestionKind, RegExp]> = [
  ["duration", /\bhow\s+(?:long|often|old|soon|late)\b/iu],
  [
    "amount",
    /\bhow\s+(?:many|much|far|big|large|high|tall|deep|fast|expensive)\b|\bwhat\s+(?:is|was|are|were)\s+the\s+(?:number|price|cost|amount|budget|size|age)\b/iu
  ],
  ["when", /\bwhen\b|\b(?:what|which)\s+(?:day|date|time|month|year)\b/iu],
  ["where", /\bwhere\b|\b(?:what|which)\s+(?:room|place|city|country|building|floor|location)\b/iu],
  ["definition", /^\s*what(?:['\u2019]s|\s+(?:is|are|was|were))\s/iu],
  ["who", /\bwho(?:m|se)?\b/iu],
  [
    "yes_no",
    /^\s*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)(?:n['\u2019]t)?\s/iu
  ]
]

export const questionKind = (question: string): QuestionKind =>
  PATTERNS.find(([, pattern]) => pattern.test(question))?.[0] ?? "other"
