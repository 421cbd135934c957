/**
 * Looks over a text that should be JSON before anything is made of it: how deep it is, how many values it holds, and
 * where the parts of what is large begin and end. It tells brackets, commas and strings apart and nothing else, so that
 * a parser that is slow at many small values, or deep ones, never sees more of them than are allowed.
 *
 * It works in steps, so that a text of many megabytes holds nobody else up.
 */

/** How deep arrays and objects may be nested. */
export const MAX_DEPTH = 200

/** How many values and keys a body may hold, one item of a list in it, and one object. */
export const MAX_VALUES = 1_000_000
export const MAX_ITEM_VALUES = 100_000
export const MAX_KEYS = 20_000

/** Items stand in a list, which stands in the body. */
const ITEM_DEPTH = 3

/** Containers of more characters are parsed in parts. */
export const LARGE = 262_144

/** An array or an object that is large: the indexes of its brackets, and of the commas between its parts. */
export interface Container {
  readonly open: number
  readonly close: number
  readonly commas: ReadonlyArray<number>
}

export type Survey =
  | { readonly _tag: "Sound"; readonly containers: ReadonlyMap<number, Container> }
  /** No JSON, for whatever reason. */
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

/** Between two pauses. */
const STEPS = 500_000

const tooMany = (message: string): Survey => ({ _tag: "TooMany", message })

/** Whether a quote stands behind an odd number of backslashes. */
const isEscaped = (text: string, quote: number): boolean => {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

/** The index of the quote that ends a string which begins at one; the length of the text when it has no end. */
export const endOfString = (text: string, start: number): number => {
  let end = start
  do {
    end = text.indexOf("\"", end + 1)
  } while (end !== -1 && isEscaped(text, end))
  return end === -1 ? text.length : end
}

/** `most`: how many values and keys it may hold. Pauses at each `yield`. */
export function* survey(text: string, most = MAX_VALUES): Generator<void, Survey> {
  const containers = new Map<number, Container>()
  const isLarge = text.length > LARGE
  // What is open, by depth: its bracket, whether it is an object, its commas, and how many values came before it.
  const opens: Array<number> = []
  const objects: Array<boolean> = []
  const commas: Array<Array<number>> = [[]]
  const counted: Array<number> = []
  const keys: Array<number> = []
  let depth = 0
  let values = 1
  let steps = 0
  let pause = STEPS
  for (let index = 0; index < text.length; index++) {
    if (++steps > pause) {
      pause = steps + STEPS
      yield
    }
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        let end = index
        do {
          // Most of a string is passed over faster than anything else.
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
        break
      }
      case COMMA:
        if (++values > most) return tooMany(`The request body holds more than ${most} values.`)
        if (isLarge) commas[depth]!.push(index)
        break
      case COLON:
        if (objects[depth] === true && ++keys[depth]! > MAX_KEYS) {
          return tooMany(`The request body holds an object with more than ${MAX_KEYS} keys.`)
        }
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
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
  return depth === 0 ? { _tag: "Sound", containers } : UNBALANCED
}
