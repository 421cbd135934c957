/** Why a statement is no answer to a question: a list of rules, each with its name. */
import type { Evidence } from "./evidence.ts"
import { folded } from "./languages.ts"
import { LIGHT_VERBS } from "./lightVerbs.ts"
import { saysContrary } from "./opposites.ts"
import { isOfAnother } from "./owners.ts"
import type { Questioned } from "./questioned.ts"
import { asksForFact, needsSpan } from "./questionKind.ts"
import type { Reading } from "./reading.ts"
import { saysWhy } from "./sentenceKind.ts"
import type { Span } from "../text/Span.ts"
import type { SpanContext } from "./spans.ts"
import type { Statement } from "./statements.ts"
import { termOf } from "../text/words.ts"

type Rule = (
  questioned: Questioned,
  reading: Reading,
  found: { readonly form: Statement["form"]; readonly span: Span | null }
) => boolean

/** Of what a passage must hold, its sentence, with the title and the one before, must hold this share. */
const OF_SENTENCE = 0.6

/** A question for yes or no needs so many times as much as another: what is missing may be what it asks about. */
const OF_YES_NO = 1.1

/** `We ship once the tests pass` tells when, without a date. */
const TELLS_WHEN = /\b(?:when|whenever|once|as soon as|after|before|until|while|during)\b/iu

/** `Who is the treasurer?` asks for a name. `Who guards the gate?` may be answered by what has none. */
const ASKS_FOR_NAME = /\bwho(?:['\u2019]s|\s+(?:is|are|was|were))\s+(?:the|our|my|your|\p{L}+['\u2019]s)\s/iu

/** `Who signed it?` asks for who did that: any other name beside it is none of theirs. */
const DOER = /\bwho\s+(?:(?:else|will|can|may|must|should|would|could|has|have|had)\s+)?(\p{L}+)/iu

const doneIn = ({ asked, language }: SpanContext): string => {
  const [, verb = ""] = language === null ? DOER.exec(asked) ?? [] : language.doer.exec(folded(asked)) ?? []
  return termOf(verb)
}

const holdsAll = (held: ReadonlySet<string>, { telling }: Evidence): boolean =>
  [...telling].every((term) => held.has(term))

const holdsSome = (held: ReadonlySet<string>, { telling }: Evidence): boolean =>
  [...telling].some((term) => held.has(term))

const isOfSomethingElse: Rule = ({ evidence }, { isSupported, share }) =>
  !isSupported || share < OF_SENTENCE * evidence.required

/** What holds no word of the question tells a fact only of what stands around it, and that has to be all of it. */
const isBeside: Rule = ({ evidence, kind }, { meant, withPrevious }) =>
  meant.size === 0 && asksForFact(kind) && !holdsAll(withPrevious, evidence)

const isAnothers: Rule = ({ context }, { stretch }) => isOfAnother(context.asked, stretch)

const labelTellsElse: Rule = (_, { told }) => told === false

const lacksWhatIsAskedFor: Rule = (
  { context: { asked, language }, evidence, kind },
  { meant, stretch },
  { form, span }
) => {
  if (span !== null) return false
  if (kind === "reason") return !saysWhy(stretch, language)
  if (kind === "who") return language !== null || ASKS_FOR_NAME.test(asked)
  if (kind !== "when") return needsSpan(kind)
  return language !== null || form === "row" || !TELLS_WHEN.test(stretch) || !holdsSome(meant, evidence)
}

const lacksWhatIsCounted: Rule = ({ counted, kind }, { near }) =>
  kind === "amount" && counted !== null && !near.has(counted)

const lacksWhatIsDone: Rule = ({ context, evidence, kind }, { near }) => {
  const done = doneIn(context)
  return kind === "who" && evidence.terms.has(done) && !LIGHT_VERBS.has(done) && !near.has(done)
}

/** Who did something is told by a sentence that names the thing, itself or by its headings; one before it may name another. */
const isOfAnotherThing: Rule = ({ introduced, kind }, { near }) =>
  kind === "who" && ![...introduced].every((term) => near.has(term))

const isContrary: Rule = ({ evidence, kind }, { stretch }) => kind !== "yes_no" && saysContrary(evidence.terms, stretch)

const decidesTooLittle: Rule = ({ evidence, kind }, { near }) =>
  kind === "yes_no" && evidence.share(near) < Math.min(1, OF_YES_NO * evidence.required)

/** What holds the question word for word speaks of the question; of a row, another cell may answer it. */
const repeatsQuestion: Rule = ({ context: { lower } }, { stretch }, { form }) => {
  const question = lower.trim()
  return form !== "row" && question.endsWith("?") && stretch.toLowerCase().includes(question)
}

const RULES: ReadonlyArray<Rule> = [
  repeatsQuestion,
  isOfSomethingElse,
  isBeside,
  isAnothers,
  labelTellsElse,
  lacksWhatIsAskedFor,
  lacksWhatIsCounted,
  lacksWhatIsDone,
  isOfAnotherThing,
  isContrary,
  decidesTooLittle
]

export const isRefused: Rule = (questioned, reading, found) => RULES.some((rule) => rule(questioned, reading, found))
