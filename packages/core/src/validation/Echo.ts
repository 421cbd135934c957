/** Which refused values are sent back: short ones completely, others not at all. */
import type { Schema } from "effect"

/** The longest JSON that is sent back. */
const MAX_ECHO = 1_000

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The characters left of `room` after the value's JSON; negative if it does not fit or is not JSON. */
const roomAfter = (value: unknown, room: number): number => {
  if (room < 0) return room
  switch (typeof value) {
    case "string":
      return value.length > room || LONE_SURROGATE.test(value) ? -1 : room - JSON.stringify(value).length
    case "number":
      return Number.isFinite(value) ? room - String(value).length : -1
    case "boolean":
      return room - (value ? 4 : 5)
    case "object":
      return value === null
        ? room - 4
        : Array.isArray(value)
        ? roomAfterArray(value, room)
        // The bytes of a file have no JSON form.
        : ArrayBuffer.isView(value)
        ? -1
        : roomAfterObject(value, room)
    default:
      return -1
  }
}

// Brackets and commas: one more than the number of elements, or two without any.
const roomAfterArray = (value: ReadonlyArray<unknown>, room: number): number => {
  let left = room - Math.max(2, value.length + 1)
  for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left)
  return left
}

const roomAfterObject = (value: object, room: number): number => {
  let left = room - 1
  let empty = true
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    empty = false
    left = roomAfter((value as Record<string, unknown>)[key], roomAfter(key, left) - 2)
    if (left < 0) return left
  }
  return empty ? left - 1 : left
}

/** `{input}` if the value can be sent back, otherwise `{}`. */
export const echo = (value: unknown): { readonly input?: Schema.Json } =>
  roomAfter(value, MAX_ECHO) < 0 ? {} : { input: value as Schema.Json }
