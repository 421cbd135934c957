/**
 * The numbers of a JSON text. Integers that JavaScript numbers cannot represent, such as 9007199254740993, are found,
 * because they would silently become others.
 */
import type { Location, Problem } from "@tributary/core/validation/Problem"
import { JsonFault } from "./JsonFault.ts"

// A number may be as long as a body. With `+` instead of `*`, the regular expression engine may store a state per
// character.
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9][0-9]*)?(?:[eE][+-]?[0-9][0-9]*)?/y
const INTEGER = /^-?[0-9]{1,309}$/

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const ONE = 0x31
const NINE = 0x39
const LOWER_E = 0x65
const UPPER_E = 0x45

/** Every integer of at most this number of digits is exact. */
const EXACT = 15

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

const continues = (code: number): boolean => isDigit(code) || code === POINT || code === LOWER_E || code === UPPER_E

export class JsonNumbers {
  readonly text: string
  /** The index after the last number. */
  end = 0
  /** Whether the last number is an integer that has lost digits. */
  isAltered = false

  constructor(text: string) {
    this.text = text
  }

  /** The number that starts at an index. */
  read(start: number): number {
    const { text } = this
    this.isAltered = false
    // The common case: a short integer.
    const isNegative = text.charCodeAt(start) === MINUS
    const first = isNegative ? start + 1 : start
    let end = first
    let code = text.charCodeAt(end)
    if (code >= ONE) {
      let value = 0
      for (; isDigit(code) && end - first < EXACT; code = text.charCodeAt(++end)) value = value * 10 + code - ZERO
      if (end > first && !continues(code)) {
        this.end = end
        return isNegative ? -value : value
      }
    }
    return this.any(start)
  }

  any(start: number): number {
    NUMBER.lastIndex = start
    if (!NUMBER.test(this.text)) throw new JsonFault("Expecting value", start)
    this.end = NUMBER.lastIndex
    const digits = this.text.slice(start, this.end)
    const value = Number(digits)
    // Infinity has its own error.
    this.isAltered = !Number.isSafeInteger(value) && Number.isFinite(value) && INTEGER.test(digits) &&
      BigInt(value) !== BigInt(digits)
    return value
  }
}

/** The problem of an integer that would lose digits. */
export const alteredProblem = (loc: Location): Problem => ({
  type: "value_error",
  loc,
  msg: "Value error, an integer of this size would lose digits: send it as a string"
})
