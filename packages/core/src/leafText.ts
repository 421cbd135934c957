/**
 * The text of JSON whose fields have no known meaning: every string in it, a line each, behind its key.
 *
 * Order is the order sent. A key stands once before all elements of a list, so that the text is never longer than the
 * JSON it was taken from.
 */
import type { Schema } from "effect"

interface Node {
  readonly key: string
  readonly value: Schema.Json
}

const isObject = (value: Schema.Json): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const childrenOf = ({ key, value }: Node): ReadonlyArray<Node> => {
  if (Array.isArray(value)) return value.map((element, index) => ({ key: index === 0 ? key : "", value: element }))
  if (isObject(value)) return Object.entries(value).map(([key, value]) => ({ key, value }))
  return []
}

/** `key` names the value itself, for a string or a list at the top. */
export const leafText = (value: Schema.Json, key = ""): string => {
  const lines: Array<string> = []
  // A stack of its own: JSON nests deeper than calls do.
  const waiting: Array<Node> = [{ key, value }]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node.value === "string") {
      if (node.value.trim() !== "") lines.push(node.key === "" ? node.value : `${node.key}: ${node.value}`)
      continue
    }
    const children = childrenOf(node)
    for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index]!)
  }
  return lines.join("\n")
}
