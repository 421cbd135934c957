/** The proved statements of one answer, and the fate of the others. */
import { Schema } from "effect"
import { JsonObjects } from "../statements/JsonObjects.ts"
import { ModelReply, ModelStatement } from "../statements/ModelReply.ts"
import type { makeVerifier, Refusal, Verdict } from "../statements/verifyStatement.ts"
import type { RefusedStatement } from "./prompt.ts"

const isReply = Schema.is(ModelReply)
const isStatement = Schema.is(ModelStatement)

type Proved = Extract<Verdict, { readonly _tag: "Proved" }>

/** An answer needs no more, and each costs time to verify. */
const MAX_STATEMENTS = 30

const MEANINGS: Readonly<Record<Refusal, string>> = {
  quote: "quotes that are not in the passages",
  number: "a number that no quote contains",
  date: "a date that no quote contains",
  name: "a name that no quote contains",
  negation: "quotes that say the opposite",
  empty: "no words"
}

/** Objects that are part of a reply: smaller models write numbers as strings. */
const withNumbers = (object: unknown): unknown => {
  if (typeof object !== "object" || object === null || !("quotes" in object) || !Array.isArray(object.quotes)) {
    return object
  }
  const quotes = object.quotes.map((quote: unknown) =>
    typeof quote === "object" && quote !== null && "passage" in quote && typeof quote.passage === "string"
      ? { ...quote, passage: Number(quote.passage) }
      : quote
  )
  return { ...object, quotes }
}

/** The objects of a reply as it arrives, and whether any of them belongs to it. */
export class ReplyObjects {
  readonly #objects = new JsonObjects()
  #isReadable = false

  push(piece: string): ReadonlyArray<unknown> {
    const objects = this.#objects.push(piece)
    this.#isReadable ||= objects.some((object) => isReply(object) || isStatement(withNumbers(object)))
    return objects
  }

  isReadable(): boolean {
    return this.#isReadable
  }
}

export class VerifiedReply {
  readonly #verify: ReturnType<typeof makeVerifier>
  readonly #seen = new Set<string>()
  #refused: Array<RefusedStatement & { readonly kind: Refusal }> = []
  /** The statements to repair, minus those that the repair proved. */
  #repairing: Array<Refusal> = []
  #proved = 0
  #isComplete = false

  constructor(verify: ReturnType<typeof makeVerifier>) {
    this.#verify = verify
  }

  get proved(): number {
    return this.#proved
  }

  get refused(): ReadonlyArray<RefusedStatement> {
    return this.#refused
  }

  /** Why statements were left out, one reason for each. */
  get unproved(): ReadonlyArray<Refusal> {
    return this.#repairing.length > 0 ? this.#repairing : this.#refused.map(({ kind }) => kind)
  }

  /** Whether the model has closed the list of its statements. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The statement that an object of the reply proves, if any. */
  accept(object: unknown): Proved | null {
    if (isReply(object)) this.#isComplete = true
    const statement = withNumbers(object)
    if (!isStatement(statement) || this.#seen.size >= MAX_STATEMENTS) return null
    // A model may think aloud and repeat itself.
    const key = JSON.stringify(statement)
    if (this.#seen.has(key)) return null
    this.#seen.add(key)
    const verdict = this.#verify(statement)
    if (verdict._tag === "Refused") {
      this.#refused.push({ text: statement.text.slice(0, 1_000), reason: verdict.reason, kind: verdict.kind })
      return null
    }
    if (this.#seen.has(verdict.text)) return null
    this.#seen.add(verdict.text)
    this.#proved++
    this.#repairing.shift()
    return verdict
  }

  /** Returns the statements to repair. */
  takeRefused(): ReadonlyArray<RefusedStatement> {
    const refused = this.#refused
    this.#repairing = refused.map(({ kind }) => kind)
    this.#refused = []
    this.#isComplete = false
    return refused
  }
}

/** Says what was left out and why, and repeats nothing of it. */
export const refusalWarnings = (kinds: ReadonlyArray<Refusal>, model: string): ReadonlyArray<string> =>
  kinds.length === 0 ? [] : [
    `model: ${kinds.length === 1 ? "a statement" : `${kinds.length} statements`} of ${model} could not be proved and ${
      kinds.length === 1 ? "was" : "were"
    } left out (${[...new Set(kinds)].map((kind) => MEANINGS[kind]).join("; ")})`
  ]
