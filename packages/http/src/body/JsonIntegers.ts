/**
 * Integers that JavaScript numbers cannot represent, such as 9007199254740993. They are refused, because parsing would
 * silently change them.
 */
import type { Location, Problem } from "@tributary/core/validation/Problem"

/** A long, finite integer where a value may be; also inside a string, which only a parser can distinguish. */
const CANDIDATE = /(?<=[:,[\s-])[0-9]{16,309}(?=[\s,\]}])/g
const INTEGER = /^-?[0-9]{1,309}$/

const isAltered = (digits: string): boolean => {
  const value = Number(digits)
  // Infinity has its own error.
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

/** The offset of the first one in a JSON text, or undefined. */
export const alteredInteger = (text: string): Location | undefined => {
  for (const [digits] of text.matchAll(CANDIDATE)) if (isAltered(digits)) return placeIn(JSON.parse(text, marked))
  return undefined
}

/** The problem that is reported. */
export const alteredProblem = (loc: Location): Problem => ({
  type: "value_error",
  loc,
  msg: "Value error, an integer of this size would lose digits: send it as a string"
})
