/**
 * Parses a large JSON text in parts, with the same result as `JSON.parse`: runs of small parts together, and each large
 * container separately. Pauses at each `yield`, so that a text of many megabytes does not block others.
 */
import { alteredInteger } from "./JsonIntegers.ts"
import { type Container, endOfString, LARGE } from "./JsonSurvey.ts"
import type { Location } from "./Problem.ts"

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

class Parser {
  readonly text: string
  readonly containers: ReadonlyMap<number, Container>
  altered: Location | undefined

  constructor(text: string, containers: ReadonlyMap<number, Container>) {
    this.text = text
    this.containers = containers
  }

  /** A run of parts, wrapped in the brackets of their container. */
  run(before: string, start: number, end: number, after: string, path: Location, offset: number): unknown {
    const text = before + this.text.slice(start, end) + after
    const value: unknown = JSON.parse(text)
    if (this.altered === undefined) {
      const place = alteredInteger(text)
      if (place !== undefined) {
        const [first = 0, ...rest] = place
        this.altered = [...path, typeof first === "number" ? first + offset : first, ...rest]
      }
    }
    return value
  }

  /** The large container in a part, with its name if it is a field. */
  containerIn(
    start: number,
    end: number,
    isField: boolean
  ): { readonly name: string; readonly inner: Container } | null {
    const { containers, text } = this
    let at = skipBlanks(text, start)
    let name = ""
    if (isField) {
      if (text[at] !== "\"") return null
      name = text.slice(at, endOfString(text, at) + 1)
      at = skipBlanks(text, at + name.length)
      if (text[at] !== ":") return null
      at = skipBlanks(text, at + 1)
    }
    const inner = containers.get(at)
    if (inner === undefined) return null
    if (skipBlanks(text, inner.close + 1) !== end) unsound()
    return { name: isField ? JSON.parse(name) as string : "", inner }
  }

  *container(container: Container, path: Location): Generator<void, unknown> {
    const isObject = this.text[container.open] === "{"
    const list: Array<unknown> = []
    const fields: Record<string, unknown> = {}
    const count = container.commas.length + 1
    for (let index = 0; index < count;) {
      const { start, end: firstEnd } = segmentAt(container, index)
      const found = firstEnd - start > LARGE ? this.containerIn(start, firstEnd, isObject) : null
      if (found !== null) {
        const { inner, name } = found
        const value = yield* this.container(inner, [...path, isObject ? name : index])
        if (isObject) setField(fields, name, value)
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

/** Throws a `SyntaxError` if the text is not JSON. `containers` are its large ones, by start. */
export function* parseParted(
  text: string,
  containers: ReadonlyMap<number, Container>
): Generator<void, Parted> {
  const parser = new Parser(text, containers)
  const root = containers.get(skipBlanks(text, 0))
  if (root === undefined) return { value: JSON.parse(text), altered: alteredInteger(text) }
  if (skipBlanks(text, root.close + 1) !== text.length) unsound()
  const value = yield* parser.container(root, [])
  return { value, altered: parser.altered }
}
