/**
 * The text of JSON whose fields have no known meaning: every string in it, a line each, behind its key.
 *
 * Order is the order sent. A key stands once before all elements of a list, so that the text is never longer than the
 * JSON it was taken from.
 */
import type { Schema } from "effect"

interface Label {
  readonly key: string
  /** Once it is written, the other elements of its list go without. */
  written: boolean
}

interface Node {
  readonly label: Label
  readonly value: Schema.Json
}

const isList = (value: Schema.Json): value is Schema.JsonArray => Array.isArray(value)

const childrenOf = ({ label, value }: Node): ReadonlyArray<Node> => {
  if (typeof value !== "object" || value === null) return []
  if (isList(value)) return value.map((element) => ({ label, value: element }))
  return Object.entries(value).map(([key, field]) => ({ label: { key, written: false }, value: field }))
}

const line = (label: Label, text: string): string => {
  if (label.written || label.key === "") return text
  label.written = true
  return `${label.key}: ${text}`
}

export const leafText = (value: Schema.Json): string => {
  const lines: Array<string> = []
  // A stack of its own: JSON nests deeper than calls do.
  const waiting: Array<Node> = [{ label: { key: "", written: false }, value }]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node.value === "string") {
      if (node.value.trim() !== "") lines.push(line(node.label, node.value))
      continue
    }
    for (const child of childrenOf(node).toReversed()) waiting.push(child)
  }
  return lines.join("\n")
}
