/**
 * Reads a text as JSON, with the values of `JSON.parse`, in one pass that pauses: a text of many megabytes does not
 * block others. Its depth and its number of values are limited, and it ends at the first fault.
 */
import { Result } from "effect"
import type { Location } from "@tributary/core/validation/Problem"
import { JsonFault } from "./JsonFault.ts"
import { JsonNumbers } from "./JsonNumbers.ts"
import { JsonStrings } from "./JsonStrings.ts"

/** The maximum depth of arrays and objects. */
const MAX_DEPTH = 200

/** The depth of an item: in a list, in the body. */
const ITEM_DEPTH = 3

/** The depth of `data`, inside an item. */
export const MAX_DATA_DEPTH = MAX_DEPTH - ITEM_DEPTH

/** The maximum number of values and keys in a text, in one item of a list, and in one object. */
export const MAX_VALUES = 1_000_000
export const MAX_ITEM_VALUES = 100_000
export const MAX_KEYS = 20_000

/** A text holds more values, or keys, than a request may. */
export class TooManyValues extends Error {}

export interface JsonValue {
  readonly value: unknown
  /** The place of an integer that has lost digits. */
  readonly altered: Location | undefined
  /** The number of values. */
  readonly count: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Characters between two pauses. */
const STEPS = 30_000

/** How many altered integers are remembered, because a repeated field replaces what was read before. */
const MAX_ALTERED = 100

type List = Array<unknown>
type Fields = Record<string, unknown>

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const PROTOTYPE = "__proto__"

/** Like `JSON.parse`, treats every name as an ordinary field. */
const setField = (target: Fields, name: string, value: unknown): void => {
  if (name !== PROTOTYPE) target[name] = value
  else Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })
}

const at = (value: unknown, place: Location): unknown =>
  place.reduce((inner: unknown, name) => (inner as Fields | undefined)?.[name], value)

class Reader {
  readonly text: string
  readonly most: number
  readonly strings: JsonStrings
  readonly numbers: JsonNumbers
  /** The index of the next character, and the one after which to pause. */
  index = 0
  pause = STEPS
  /** The open arrays and objects, outermost first; of each object the number of keys, and the last one. */
  readonly open: Array<List | Fields> = []
  readonly keys: Array<number> = []
  readonly names: Array<string> = []
  /** The innermost of them, as either. */
  list: List | null = null
  fields: Fields | null = null
  /** The number of values, also before the current item. */
  count = 1
  countBefore = 0
  readonly altered: Array<{ readonly place: Location; readonly value: number }> = []

  constructor(text: string, most: number) {
    this.text = text
    this.most = most
    this.strings = new JsonStrings(text)
    this.numbers = new JsonNumbers(text)
  }

  *read(): Generator<void, JsonValue> {
    const { strings } = this
    while (true) {
      // Next is a field of an object, or a value.
      while (this.skipBlanks()) yield
      if (this.fields !== null) {
        this.beginName()
        this.names[this.open.length] = strings.short(this.index) ?? (yield* strings.any(this.index))
        this.index = strings.end
        while (this.skipBlanks()) yield
        this.take(COLON, "Expecting ':' delimiter")
        while (this.skipBlanks()) yield
      }
      let value: unknown
      const code = this.text.charCodeAt(this.index)
      if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        this.begin(code)
        while (this.skipBlanks()) yield
        if (!this.isAtEnd()) continue
        value = this.end()
      } else if (code === QUOTE) {
        value = strings.short(this.index) ?? (yield* strings.any(this.index))
        this.index = strings.end
      } else value = this.scalar()
      // The value is complete, and so are the arrays and objects that end with it.
      while (this.open.length > 0) {
        this.add(value)
        while (this.skipBlanks()) yield
        if (!this.isAtEnd()) break
        value = this.end()
      }
      if (this.open.length === 0) {
        while (this.skipBlanks()) yield
        return this.result(value)
      }
      this.take(COMMA, "Expecting ',' delimiter")
      this.countValue()
    }
  }

  result(value: unknown): JsonValue {
    if (this.index < this.text.length) throw new JsonFault("Extra data", this.index)
    const altered = this.altered.find((one) => at(value, one.place) === one.value)
    return { value, altered: altered?.place, count: this.count }
  }

  /** Whether to pause before continuing. */
  skipBlanks(): boolean {
    const { pause, text } = this
    let { index } = this
    while (index <= pause && isBlank(text.charCodeAt(index))) index++
    this.index = index
    if (index <= pause) return false
    this.pause = index + STEPS
    return true
  }

  take(code: number, reason: string): void {
    if (this.text.charCodeAt(this.index) !== code) throw new JsonFault(reason, this.index)
    this.index++
  }

  beginName(): void {
    if (this.text.charCodeAt(this.index) !== QUOTE) {
      throw new JsonFault("Expecting property name enclosed in double quotes", this.index)
    }
    if (++this.keys[this.open.length]! > MAX_KEYS) {
      throw new TooManyValues(`The request body holds an object with more than ${MAX_KEYS} keys.`)
    }
  }

  countValue(): void {
    if (++this.count > this.most) throw new TooManyValues(`The request body holds more than ${this.most} values.`)
    if (this.open.length >= ITEM_DEPTH && this.count - this.countBefore > MAX_ITEM_VALUES) {
      throw new TooManyValues(`The request body holds an item with more than ${MAX_ITEM_VALUES} values.`)
    }
  }

  begin(bracket: number): void {
    if (this.open.length === MAX_DEPTH) throw new JsonFault("Recursion limit exceeded", this.index)
    this.index++
    this.countValue()
    this.open.push(bracket === OPEN_ARRAY ? [] : {})
    this.enterInnermost()
    this.keys[this.open.length] = 0
    if (this.open.length === ITEM_DEPTH) this.countBefore = this.count
  }

  /** Whether the innermost array or object ends here. */
  isAtEnd(): boolean {
    return this.text.charCodeAt(this.index) === (this.list === null ? CLOSE_OBJECT : CLOSE_ARRAY)
  }

  end(): List | Fields {
    this.index++
    const ended = this.open.pop()!
    this.enterInnermost()
    return ended
  }

  enterInnermost(): void {
    const inner = this.open.at(-1) ?? null
    this.list = Array.isArray(inner) ? inner : null
    this.fields = Array.isArray(inner) ? null : inner
  }

  add(value: unknown): void {
    if (this.list !== null) this.list.push(value)
    else setField(this.fields!, this.names[this.open.length]!, value)
  }

  scalar(): unknown {
    const { index, text } = this
    switch (text[index]) {
      case "t":
        return this.word("true", true)
      case "f":
        return this.word("false", false)
      case "n":
        return this.word("null", null)
    }
    const value = this.numbers.read(index)
    this.index = this.numbers.end
    if (this.numbers.isAltered && this.altered.length < MAX_ALTERED) this.altered.push({ place: this.place(), value })
    return value
  }

  word<A>(word: string, value: A): A {
    if (!this.text.startsWith(word, this.index)) throw new JsonFault("Expecting value", this.index)
    this.index += word.length
    return value
  }

  /** Of the value that is being read. */
  place(): Location {
    return this.open.map((outer, depth) => Array.isArray(outer) ? outer.length : this.names[depth + 1]!)
  }
}

/** `most` is the maximum number of values and keys. Pauses at each `yield`. */
export function* readJson(
  text: string,
  most = MAX_VALUES
): Generator<void, Result.Result<JsonValue, JsonFault | TooManyValues>> {
  try {
    return Result.succeed(yield* new Reader(text, most).read())
  } catch (error) {
    if (error instanceof JsonFault || error instanceof TooManyValues) return Result.fail(error)
    throw error
  }
}
