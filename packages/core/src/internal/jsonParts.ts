/** JSON of any size in parts. Joined, they equal the text in one piece. */
import type { Schema } from "effect"
import { sortedByName } from "./canonicalJson.ts"
import { PART, partsOf } from "./longText.ts"

type Order = (value: Schema.JsonObject) => Schema.JsonObject

const isShort = (value: Schema.Json): boolean =>
  typeof value === "string" ? value.length <= PART : typeof value !== "object" || value === null

class Writer {
  readonly order: Order
  text = ""

  constructor(order: Order) {
    this.order = order
  }

  *part(): Generator<string, void> {
    if (this.text.length < PART) return
    yield this.text
    this.text = ""
  }

  *write(value: Schema.Json): Generator<string, void> {
    if (isShort(value)) this.text += JSON.stringify(value)
    else if (typeof value === "string") yield* this.string(value)
    else if (Array.isArray(value)) yield* this.elements(value)
    else yield* this.fields(this.order(value as Schema.JsonObject))
  }

  *string(value: string): Generator<string, void> {
    this.text += "\""
    for (const part of partsOf(value)) {
      this.text += JSON.stringify(part).slice(1, -1)
      yield* this.part()
    }
    this.text += "\""
  }

  *elements(values: ReadonlyArray<Schema.Json>): Generator<string, void> {
    this.text += "["
    for (const [index, value] of values.entries()) {
      if (index > 0) this.text += ","
      if (isShort(value)) this.text += JSON.stringify(value)
      else yield* this.write(value)
      if (this.text.length >= PART) yield* this.part()
    }
    this.text += "]"
  }

  *fields(value: Schema.JsonObject): Generator<string, void> {
    let before = "{"
    for (const [name, inner] of Object.entries(value)) {
      this.text += before
      before = ","
      yield* this.write(name)
      this.text += ":"
      yield* this.write(inner)
      if (this.text.length >= PART) yield* this.part()
    }
    this.text += before === "{" ? "{}" : "}"
  }
}

function* parts(value: Schema.Json, order: Order): Generator<string, void> {
  const writer = new Writer(order)
  yield* writer.write(value)
  yield writer.text
}

/** What is left of `room` for characters and values. */
const roomAfter = (value: Schema.Json, room: number): number => {
  if (typeof value === "string") return room - value.length
  if (typeof value !== "object" || value === null) return room - 1
  let left = room - 1
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left)
  } else {
    const fields = value as Schema.JsonObject
    for (const name in fields) {
      left = roomAfter(fields[name]!, left - name.length)
      if (left < 0) break
    }
  }
  return left
}

/** The parts of `JSON.stringify`. */
const jsonParts = (value: Schema.Json): Generator<string, void> => parts(value, (object) => object)

/** The parts of `canonicalJson`. */
export const canonicalParts = (value: Schema.Json): Generator<string, void> => parts(value, sortedByName)

/** `JSON.stringify`. Pauses at each `yield`. */
export function* jsonText(value: Schema.Json): Generator<void, string> {
  if (roomAfter(value, PART) >= 0) return JSON.stringify(value)
  const all: Array<string> = []
  for (const part of jsonParts(value)) {
    all.push(part)
    yield
  }
  return all.join("")
}

const encoder = new TextEncoder()

/** `JSON.stringify` in UTF-8. Pauses at each `yield`. */
export function* jsonBytes(value: Schema.Json): Generator<void, Uint8Array> {
  const all: Array<Uint8Array> = []
  let length = 0
  for (const part of jsonParts(value)) {
    const bytes = encoder.encode(part)
    all.push(bytes)
    length += bytes.length
    yield
  }
  const joined = new Uint8Array(length)
  let at = 0
  for (const bytes of all) {
    joined.set(bytes, at)
    at += bytes.length
    yield
  }
  return joined
}
