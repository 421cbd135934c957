/** Words that carry a question rather than its subject. Indexed like any other, and dropped from a query that has more. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this " +
    "to was will with what when where which who whom whose why how did do does doing done has have had having can " +
    "could would should may might shall must i me my we us our you your he him his she her its them am were been " +
    "being about any some so than too very from all also just t d m ll re ve don doesn didn isn aren wasn weren " +
    "hasn haven hadn couldn wouldn shouldn mustn tell please much many").split(" ")
)

/** After "how" these ask for a measure, and the answer has the measure instead of the word. */
const MEASURES: ReadonlySet<string> = new Set(
  "long often far big large small tall high deep fast soon late".split(" ")
)

/** After "what" or "which", and the answer gives one of them. */
const SORTS: ReadonlySet<string> = new Set("time day date kind sort type".split(" "))

const asksForOne = (lower: ReadonlyArray<string>, at: number): boolean => {
  const [before, word] = [lower[at - 1], lower[at]!]
  return (before === "how" && MEASURES.has(word)) || (before === "many" && word === "times") ||
    ((before === "what" || before === "which") && SORTS.has(word))
}

/** `May`, `Will`, `US`, `WHO`: with a capital within a sentence it is a name, unless all words have one. */
const isNamed = (word: string, at: number): boolean => at > 0 && word.length > 1 && /^\p{Lu}/u.test(word)

/** The words of a query without stop words. */
export const significantWords = (
  words: ReadonlyArray<string>,
  stopWords: Pick<ReadonlySet<string>, "has">
): ReadonlyArray<string> => {
  const lower = words.map((word) => word.toLowerCase())
  const hasNames = words.some((word, at) => at > 0 && stopWords.has(word))
  return words.filter((word, at) =>
    (!stopWords.has(lower[at]!) || (hasNames && isNamed(word, at))) && !asksForOne(lower, at)
  )
}
