/**
 * Parses a large JSON text in parts, with the same result as `JSON.parse`: runs of small parts together, each large
 * container separately, and each large string in pieces. Pauses at each `yield`, so that a text of many megabytes does not block others.
 */
import { endSlice } from "@tributary/core/Slices"
import { alteredInteger } from "./JsonIntegers.ts"
import { type Container, endOfString, LARGE } from "./JsonSurvey.ts"
import type { Location } from "@tributary/core/validation/Problem"

export interface Parted {
  readonly value: unknown
  /** The position of the first integer that would lose digits. */
  readonly altered: Location | undefined
}

const BLANKS = /[ \t\n\r]*/y

const skipBlanks = (text: string, index: number): number => {
  BLANKS.lastIndex = index
  BLANKS.test(text)
  return BLANKS.lastIndex
}

const PROTOTYPE = "__proto__"

/** Like `JSON.parse`, treats every name as an ordinary field. */
const setField = (target: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== PROTOTYPE) target[name] = value
  else Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })
}

const unsound = (): never => {
  throw new SyntaxError("The text is no JSON.")
}

/** The text between two commas of a container. */
const segmentAt = (
  { close, commas, open }: Container,
  index: number
): { readonly start: number; readonly end: number } => ({
  start: (commas[index - 1] ?? open) + 1,
  end: commas[index] ?? close
})

/** A container or a string, by the indexes of its first and its last character. */
interface Large {
  readonly name: string
  readonly open: number
  readonly close: number
}

// Escapes, and what no string may contain.
const NOT_PLAIN = /[\u0000-\u001f\\]/

const BACKSLASH = "\\"
const ESCAPE = 6

/** The last index up to `at` that is inside no escape of a string, whose next one begins at `start` or after. */
const betweenEscapes = (text: string, start: number, at: number): number => {
  let last = at - 1
  while (last >= start && last > at - ESCAPE && text[last] !== BACKSLASH) last--
  if (last < start || text[last] !== BACKSLASH) return at
  let first = last
  while (first > start && text[first - 1] === BACKSLASH) first--
  const isWhole = (last - first) % 2 === 1 || last + (text[last + 1] === "u" ? ESCAPE : 2) <= at
  return isWhole ? at : last
}

/** What a survey found: the large containers by start, and whether there are long numbers. */
interface Surveyed {
  readonly containers: ReadonlyMap<number, Container>
  readonly hasLongNumber: boolean
}

class Parser {
  readonly text: string
  readonly containers: ReadonlyMap<number, Container>
  readonly hasLongNumber: boolean
  altered: Location | undefined

  constructor(text: string, { containers, hasLongNumber }: Surveyed) {
    this.text = text
    this.containers = containers
    this.hasLongNumber = hasLongNumber
  }

  /** A run of parts, wrapped in the brackets of their container. */
  run(before: string, start: number, end: number, after: string, path: Location, offset: number): unknown {
    const text = before + this.text.slice(start, end) + after
    const value: unknown = JSON.parse(text)
    if (this.hasLongNumber && this.altered === undefined) {
      const place = alteredInteger(text)
      if (place !== undefined) {
        const [first = 0, ...rest] = place
        this.altered = [...path, typeof first === "number" ? first + offset : first, ...rest]
      }
    }
    return value
  }

  /** The large value in a part, with its name if it is a field. */
  largeIn(start: number, end: number, isField: boolean): Large | null {
    const { text } = this
    let at = skipBlanks(text, start)
    let name = ""
    if (isField) {
      if (text[at] !== "\"") return null
      name = text.slice(at, endOfString(text, at) + 1)
      at = skipBlanks(text, at + name.length)
      if (text[at] !== ":") return null
      at = skipBlanks(text, at + 1)
    }
    const close = this.closeOf(at)
    if (close === null) return null
    if (skipBlanks(text, close + 1) !== end) unsound()
    return { name: isField ? JSON.parse(name) as string : "", open: at, close }
  }

  /** Where the large value that opens at an index closes. */
  closeOf(open: number): number | null {
    const { containers, text } = this
    if (text[open] !== "\"") return containers.get(open)?.close ?? null
    const close = endOfString(text, open)
    return close - open > LARGE ? close : null
  }

  *large({ close, open }: Pick<Large, "close" | "open">, path: Location): Generator<void, unknown> {
    const container = this.containers.get(open)
    return container === undefined ? yield* this.string(open + 1, close) : yield* this.container(container, path)
  }

  /** Whether a string is the text between its quotes. */
  *isPlain(start: number, close: number): Generator<void, boolean> {
    for (let from = start; from < close; from += LARGE) {
      if (NOT_PLAIN.test(this.text.slice(from, Math.min(from + LARGE, close)))) return false
      yield
    }
    return true
  }

  *string(start: number, close: number): Generator<void, string> {
    // A slice keeps the whole text, so only a string that is most of it becomes one.
    if (close - start > this.text.length / 2 && (yield* this.isPlain(start, close))) {
      return this.text.slice(start, close)
    }
    const parts: Array<string> = []
    for (let from = start; from < close;) {
      const to = from + LARGE < close ? betweenEscapes(this.text, from, from + LARGE) : close
      parts.push(JSON.parse(`"${this.text.slice(from, to)}"`) as string)
      from = to
      yield
    }
    // Joining a long one takes a turn of its own.
    endSlice()
    yield
    const whole = parts.join("")
    endSlice()
    yield
    return whole
  }

  *container(container: Container, path: Location): Generator<void, unknown> {
    const isObject = this.text[container.open] === "{"
    const list: Array<unknown> = []
    const fields: Record<string, unknown> = {}
    const count = container.commas.length + 1
    for (let index = 0; index < count;) {
      const { start, end: firstEnd } = segmentAt(container, index)
      const found = firstEnd - start > LARGE ? this.largeIn(start, firstEnd, isObject) : null
      if (found !== null) {
        const value = yield* this.large(found, [...path, isObject ? found.name : index])
        if (isObject) setField(fields, found.name, value)
        else list.push(value)
        index++
        continue
      }
      let last = index
      while (last + 1 < count && segmentAt(container, last + 1).end - start <= LARGE) last++
      const { end } = segmentAt(container, last)
      if (count > 1 && skipBlanks(this.text, start) === firstEnd) unsound()
      const [before, after] = isObject ? ["{", "}"] as const : ["[", "]"] as const
      const parsed = this.run(before, start, end, after, path, index)
      if (Array.isArray(parsed)) { for (const element of parsed) list.push(element) }
      else for (const [name, value] of Object.entries(parsed as object)) setField(fields, name, value)
      index = last + 1
      yield
    }
    return isObject ? fields : list
  }
}

/** Throws a `SyntaxError` if the text is not JSON. */
export function* parseParted(text: string, surveyed: Surveyed): Generator<void, Parted> {
  const parser = new Parser(text, surveyed)
  const root = parser.largeIn(0, text.length, false)
  if (root === null) return { value: JSON.parse(text), altered: alteredInteger(text) }
  const value = yield* parser.large(root, [])
  return { value, altered: parser.altered }
}
