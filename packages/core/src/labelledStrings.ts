/**
 * The text of JSON with unknown fields: every string on a line of its own, after its key.
 *
 * The order is that of the input. A key precedes all elements of its list only once, so that the text is never longer
 * than the JSON.
 */
import type { Schema } from "effect"
import { runGenerator } from "./scheduling/runGenerator.ts"

interface Label {
  readonly key: string
  /** Written before the first element of its list only. */
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

/** Nodes between two pauses. */
const NODES = 1_000

/** Pauses at each `yield`. */
export function* labelledStringLines(value: Schema.Json): Generator<void, string> {
  const lines: Array<string> = []
  // An explicit stack, because JSON can nest deeper than calls.
  const waiting: Array<Node> = [{ label: { key: "", written: false }, value }]
  let nodes = 0
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (++nodes % NODES === 0) yield
    if (typeof node.value === "string") {
      if (node.value.trim() !== "") lines.push(line(node.label, node.value))
      continue
    }
    for (const child of childrenOf(node).toReversed()) waiting.push(child)
  }
  return lines.join("\n")
}

export const labelledStrings = (value: Schema.Json): string => runGenerator(labelledStringLines(value))
