/**
 * Scans a text before it is parsed as JSON: its depth, its number of values, and the positions of large containers. It
 * only distinguishes brackets, commas and strings, so that the parser never sees more values or levels than are
 * allowed.
 *
 * It works in steps, so that a text of many megabytes does not block others.
 */

/** The maximum depth of arrays and objects. */
export const MAX_DEPTH = 200

/** The maximum number of values and keys in a body, in one item of a list, and in one object. */
export const MAX_VALUES = 1_000_000
export const MAX_ITEM_VALUES = 100_000
export const MAX_KEYS = 20_000

/** The depth of items: a list in the body. */
const ITEM_DEPTH = 3

/** Smaller bodies, in bytes, cost no more work than any other request. */
export const SMALL = 4_096

/** Larger containers, in characters, are parsed in parts. */
export const LARGE = 262_144

/** Larger texts, in characters, and those with more values are parsed in parts. */
const LONG = 2_000_000
const MANY = 20_000

/** The digits of an integer that may lose some. */
const LONG_NUMBER = 16

/** A large array or object: the indexes of its brackets, and of the commas between its parts. */
export interface Container {
  readonly open: number
  readonly close: number
  readonly commas: ReadonlyArray<number>
}

interface Sound {
  readonly _tag: "Sound"
  readonly containers: ReadonlyMap<number, Container>
  /** Whether it is parsed and validated in parts, because both take long. */
  readonly isLong: boolean
  /** Whether it may have an integer of 16 digits or more. */
  readonly hasLongNumber: boolean
}

export type Survey =
  | Sound
  /** Not JSON, for whatever reason. */
  | { readonly _tag: "Unbalanced" }
  | { readonly _tag: "TooDeep" }
  | { readonly _tag: "TooMany"; readonly message: string }

const UNBALANCED: Survey = { _tag: "Unbalanced" }

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Characters between two pauses. */
const STEPS = 500_000

const tooMany = (message: string): Survey => ({ _tag: "TooMany", message })

/** Whether a quote is escaped: preceded by an odd number of backslashes. */
const isEscaped = (text: string, quote: number): boolean => {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

/** The index of the quote that ends the string starting at an index; the length of the text if it does not end. */
export const endOfString = (text: string, start: number): number => {
  let end = start
  do {
    end = text.indexOf("\"", end + 1)
  } while (end !== -1 && isEscaped(text, end))
  return end === -1 ? text.length : end
}

/** `most` is the maximum number of values and keys. Pauses at each `yield`. */
export function* survey(text: string, most = MAX_VALUES): Generator<void, Survey> {
  const containers = new Map<number, Container>()
  const isLarge = text.length > LARGE
  // The open containers by depth: the bracket, whether it is an object, its commas, and the number of values before it.
  const opens: Array<number> = []
  const objects: Array<boolean> = []
  const commas: Array<Array<number>> = [[]]
  const counted: Array<number> = []
  const keys: Array<number> = []
  let depth = 0
  let values = 1
  let steps = 0
  let pause = STEPS
  // The end of what precedes a number.
  let before = -1
  let hasLongNumber = false
  for (let index = 0; index < text.length; index++) {
    if (++steps > pause) {
      pause = steps + STEPS
      yield
    }
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        let end = index
        do {
          // The common case: skip most of a string quickly.
          steps += 1 + ((end - index) >> 3)
          index = end
          if (steps > pause) {
            pause = steps + STEPS
            yield
          }
          end = text.indexOf("\"", end + 1)
          if (end === -1) return UNBALANCED
        } while (isEscaped(text, end))
        index = end
        before = index
        break
      }
      case COMMA:
        if (index - before > LONG_NUMBER) hasLongNumber = true
        before = index
        if (++values > most) return tooMany(`The request body holds more than ${most} values.`)
        if (isLarge) commas[depth]!.push(index)
        break
      case COLON:
        before = index
        if (objects[depth] === true && ++keys[depth]! > MAX_KEYS) {
          return tooMany(`The request body holds an object with more than ${MAX_KEYS} keys.`)
        }
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        before = index
        if (++depth > MAX_DEPTH) return { _tag: "TooDeep" }
        if (++values > most) return tooMany(`The request body holds more than ${most} values.`)
        opens[depth] = index
        objects[depth] = text.charCodeAt(index) === OPEN_OBJECT
        keys[depth] = 0
        counted[depth] = values
        if (commas[depth] === undefined) commas[depth] = []
        else commas[depth]!.length = 0
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: {
        if (index - before > LONG_NUMBER) hasLongNumber = true
        before = index
        if (depth === 0 || objects[depth] !== (text.charCodeAt(index) === CLOSE_OBJECT)) return UNBALANCED
        if (depth === ITEM_DEPTH && values - counted[depth]! > MAX_ITEM_VALUES) {
          return tooMany(`The request body holds an item with more than ${MAX_ITEM_VALUES} values.`)
        }
        const open = opens[depth]!
        if (index - open > LARGE) {
          containers.set(open, { open, close: index, commas: commas[depth]! })
          commas[depth] = []
        }
        depth--
      }
    }
  }
  if (depth > 0) return UNBALANCED
  const isLong = text.length > LONG || (isLarge && values > MANY)
  return { _tag: "Sound", containers, isLong, hasLongNumber }
}
