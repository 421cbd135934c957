/**
 * Integers that no number of JavaScript holds, such as 9007199254740993. Parsed they are others, so that what is stored
 * would not be what was sent, and nobody would be told.
 */
import type { Location, Problem } from "./Problem.ts"

/** One that is long enough and not infinite, where a value may stand; also in a string, which takes a parser to tell. */
const CANDIDATE = /(?<=[:,[\s-])[0-9]{16,309}(?=[\s,\]}])/g
const INTEGER = /^-?[0-9]{1,309}$/

const isAltered = (digits: string): boolean => {
  const value = Number(digits)
  // What is infinite has a fault of its own.
  return !Number.isSafeInteger(value) && Number.isFinite(value) && BigInt(value) !== BigInt(digits)
}

const ALTERED = Symbol("altered")

const marked = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && INTEGER.test(context?.source ?? "") && isAltered(context!.source!.replace("-", ""))
    ? ALTERED
    : value

const placeIn = (value: unknown): Location | undefined => {
  if (value === ALTERED) return []
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, part] of Object.entries(value)) {
    const below = placeIn(part)
    if (below !== undefined) return [Array.isArray(value) ? Number(key) : key, ...below]
  }
  return undefined
}

/** Where the first one stands in a text that is JSON; nothing where there is none. */
export const alteredInteger = (text: string): Location | undefined => {
  for (const [digits] of text.matchAll(CANDIDATE)) if (isAltered(digits)) return placeIn(JSON.parse(text, marked))
  return undefined
}

/** How one is told. */
export const alteredProblem = (loc: Location): Problem => ({
  type: "value_error",
  loc,
  msg: "Value error, an integer of this size would lose digits: send it as a string"
})
