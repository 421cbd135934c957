/** What a sentence is like: prose or a piece of a table or of code, a question, a definition. */
import { isLabelled } from "./labels.ts"
import { folded, type Language } from "./languages.ts"
import { termOf, visitWords } from "../text/words.ts"

/** Of the characters of prose so many are letters, digits or spaces. */
const READABLE = 0.8

const LEAST_WORDS = 3

const ARTICLE = /^(?:an?|the)\s+/iu
const IS = /^\W*(?:is|are|was|were)\s/iu

/** A question at the end of something else: `The birthday is on 17 March, who bakes?` */
const TAG =
  /[,;\u2013\u2014-]\s*(?:and |so |but )?(?:who|what|when|where|which|why|how|can|could|will|would|shall|should|do|does|is|are|any|or)\b[^,;]*$/iu

const ASKS =
  /^(?:[^:]{1,40}: )?(?:\p{L}+, )?(?:who|what|when|where|which|why|how|can|could|will|would|shall|should|do|does|did|has|have|had|is|are|was|were|any|if)/iu

const isQuestion = (text: string): boolean =>
  /[?\uff1f]["'\u201d\u2019)]*$/u.test(text) && (!TAG.test(text) || ASKS.test(text))

/** Lines of a program whose block was cut elsewhere, so that nothing tells them from prose but themselves. */
const IS_CODE = /^(?:\*\/|[}\])])|=>|\b(?:import|export)\s+[{*]|\b(?:const|let|var)\s+\w+\s*=|\)\s*;/u

/** What prose quotes of a program. */
const QUOTED_CODE = /`[^`\n]*`/gu

/** False for questions, headings of a word or two, rules, rows of tables and lines of code. */
export const isProse = (sentence: string): boolean => {
  const text = sentence.trim()
  if (isQuestion(text) || /^(?:```|[|+][-=|+ ]|#{1,6}\s)/u.test(text)) return false
  if (IS_CODE.test(text.replaceAll(QUOTED_CODE, ""))) return false
  const readable = text.match(/[\p{L}\p{M}\p{N}\s.,;:'"\u2019()\-/%@]/gu)?.length ?? 0
  if (readable < READABLE * [...text].length) return false
  let words = 0
  visitWords(text, () => words++)
  return words >= (isLabelled(text) ? 2 : LEAST_WORDS)
}

/** `It fixes the timeout`: a sentence that speaks of what the one before it names. */
export const refersBack = (sentence: string): boolean =>
  /^(?:it|they|this|that|these|those|he|she|its|their|his|her)\b/iu.test(sentence)

/** `X is ...`, for a question that asks what X is. */
export const saysWhatItIs = (sentence: string, asked: { has(term: string): boolean }): boolean => {
  const subject = sentence.replace(ARTICLE, "")
  let end = 0
  let runs = true
  visitWords(subject, (start, stop) => {
    runs &&= asked.has(termOf(subject.slice(start, stop)))
    if (runs) end = stop
  })
  return end > 0 && IS.test(subject.slice(end))
}

const REASON =
  /\b(?:because|since|due to|owing to|thanks to|caused?|reasons?|so that|in order to|as a result|therefore|that['\u2019]s why|that is why|for fear of|for lack of)\b/iu

/** For a question that asks why. */
export const saysWhy = (sentence: string, language: Language | null): boolean =>
  language === null ? REASON.test(sentence) : language.because.test(folded(sentence))

const NEGATION = /\b(?:not|no|never|none|nobody|nothing|neither|without|cannot|no longer)\b|n['\u2019]t\b/iu

export const isNegated = (sentence: string, language: Language | null = null): boolean =>
  language === null ? NEGATION.test(sentence) : language.negated.test(folded(sentence))
