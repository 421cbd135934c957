/**
 * Fits the coefficients of the answerer that needs no language model: `npm run bench -- fit`.
 *
 * Each printed row is measured on a set that its coefficients were not fitted on. The written coefficients are fitted
 * on all sets.
 */
import { claimFeatures, probability } from "@tributary/answers/claim/claim"
import { COEFFICIENTS, type Coefficients } from "@tributary/answers/claim/coefficients"
import { PASSAGES, quotedExcerpts, relatedExcerpts } from "@tributary/answers/ExtractiveAnswerer"
import { type Excerpt, excerptsOf, textOf } from "@tributary/answers/evidence/excerpts"
import { examine, rankUnits, type ScoredUnit } from "@tributary/answers/evidence/scoredUnits"
import { Effect, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { print, printTable } from "../print.ts"
import { answering } from "./answering.ts"
import { graderOf, type Shown } from "./grade.ts"
import { FOLDERS, type QuestionSet, questionSetsIn } from "./questionSets.ts"
import { type Choice, fitClaim, fitRanking } from "./regression.ts"

const FILE = new URL("../../../../packages/answers/src/claim/coefficients.ts", import.meta.url)

/** A unit is right if its excerpt contains the answer. */
const ALONE = { most: 1, longest: () => 300, gap: 0, total: 300, beginning: 0, enough: 1 }

type Examined = Effect.Success<ReturnType<typeof examine>>

interface Example extends Examined {
  readonly isAnswerable: boolean
  readonly holds: (shown: ReadonlyArray<Shown>) => boolean
  readonly choices: ReadonlyArray<Choice>
}

const shownIn = ({ lead, section, ...stretch }: Excerpt): Shown => ({
  text: `${lead === null ? "" : `${textOf(section, lead)}\n`}${textOf(section, stretch)}`,
  document: section.document.external_id,
  title: section.document.title
})

const aloneShown = (unit: ScoredUnit): ReadonlyArray<Shown> => excerptsOf([unit], ALONE).map(shownIn)

const examplesOf = async ({ documents, questions }: QuestionSet): Promise<ReadonlyArray<Example>> => {
  const examples: Array<Example> = []
  let current = questions[0]!
  await using service = await answering(documents, (answerer) => ({
    answer: (question, source) =>
      Stream.unwrap(Effect.map(examine(question.query, source, PASSAGES), (examined) => {
        const holds = graderOf(current)
        const isAnswerable = current.gold !== undefined
        const choices = examined.units.map((unit) => ({
          values: unit.values,
          isRight: isAnswerable && holds(aloneShown(unit))
        }))
        examples.push({ ...examined, isAnswerable, holds, choices })
        return answerer.answer(question, source)
      }))
  }))
  for (const question of questions) {
    current = question
    await service.ask(question.q)
  }
  return examples
}

interface Claim extends Choice {
  readonly isAnswerable: boolean
  readonly isShown: boolean
}

const claimsOf = (examples: ReadonlyArray<Example>, weights: Pick<Coefficients, "units">): ReadonlyArray<Claim> =>
  examples.map(({ holds, isAnswerable, terms, units }) => {
    const ranked = rankUnits(units, weights)
    const quoted = quotedExcerpts(ranked)
    return {
      values: claimFeatures(terms, ranked, quoted),
      isAnswerable,
      isRight: isAnswerable && holds(quoted.map(shownIn)),
      isShown: isAnswerable && holds(relatedExcerpts(ranked).map(shownIn))
    }
  })

const fit = (examples: ReadonlyArray<Example>): Coefficients => {
  const units = fitRanking(examples.map(({ choices }) => choices))
  return { ...COEFFICIENTS, units, claim: fitClaim(claimsOf(examples, { units })) }
}

interface Graded extends Claim {
  readonly probability: number
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`

const rowOf = (name: string, graded: ReadonlyArray<Graded>, threshold: number): ReadonlyArray<string> => {
  const answerable = graded.filter(({ isAnswerable }) => isAnswerable)
  const claimed = graded.filter(({ probability }) => probability >= threshold)
  const right = claimed.filter(({ isRight }) => isRight)
  const without = graded.filter(({ isAnswerable }) => !isAnswerable)
  const shown = answerable.filter((one) => one.probability >= threshold ? one.isRight : one.isShown)
  return [
    name,
    threshold.toFixed(2),
    percent(right.length, answerable.length),
    percent(shown.length, answerable.length),
    percent(right.length, claimed.length),
    percent(without.filter(({ probability }) => probability < threshold).length, without.length)
  ]
}

const rounded = (values: ReadonlyArray<number>): string => `[${values.map((value) => value.toFixed(2)).join(", ")}]`

/** The threshold from which this share of the questions without an answer is refused. */
const thresholdOf = (graded: ReadonlyArray<Graded>, refused: number): number => {
  const without = graded.filter(({ isAnswerable }) => !isAnswerable).map(({ probability }) => probability)
  const sorted = without.toSorted((one, other) => other - one)
  return (sorted[Math.floor((1 - refused) * sorted.length + 1e-9)] ?? 0) + 1e-6
}

/** The share for which the threshold is chosen, and those at which the curve is printed. */
const WANTED = 0.92
const REFUSED = [0.85, 0.87, 0.9, WANTED, 0.93, 0.95, 0.97]

const logLoss = (graded: ReadonlyArray<Graded>): number =>
  -graded.reduce((sum, { isRight, probability }) => sum + Math.log(isRight ? probability : 1 - probability), 0) /
  graded.length

export const fitClaims = async (): Promise<void> => {
  const { [FOLDERS]: folders } = process.env
  if (folders === undefined) {
    print(`SKIPPED: fitting, because ${FOLDERS} names no folders of question sets`)
    return
  }
  const sets = questionSetsIn(folders)
  const examples: Array<ReadonlyArray<Example>> = []
  for (const set of sets) examples.push(await examplesOf(set))
  const graded = examples.map((own, at): ReadonlyArray<Graded> => {
    const fitted = fit(examples.flatMap((others, index) => index === at ? [] : others))
    return claimsOf(own, fitted).map((claim) => ({ ...claim, probability: probability(claim.values, fitted) }))
  })
  const all = graded.flat()
  const others = (at: number) => graded.filter((_, index) => index !== at).flat()
  printTable(["", "threshold", "right", "shown at all", "of what is claimed, right", "without an answer, refused"], [
    ...sets.map(({ name }, at) => rowOf(name, graded[at]!, thresholdOf(others(at), WANTED))),
    ...REFUSED.map((refused) => rowOf("all", all, thresholdOf(all, refused)))
  ])
  print(`Logarithmic loss: ${logLoss(all).toFixed(4)}`)
  const { claim, units } = fit(examples.flat())
  const source = `/** Written by \`npm run bench -- fit\`. */
export interface Coefficients {
  /** One for each feature of a unit. */
  readonly units: ReadonlyArray<number>
  /** One for each feature of a claim, and the intercept. */
  readonly claim: ReadonlyArray<number>
  /** The probability from which a question counts as answered, unless a host sets another. */
  readonly threshold: number
}

export const COEFFICIENTS: Coefficients = {
  units: ${rounded(units)},
  claim: ${rounded(claim)},
  threshold: ${thresholdOf(all, WANTED).toFixed(2)}
}
`
  writeFileSync(fileURLToPath(FILE), source)
}
