/** The cells of a Jupyter notebook: text as it is, code and what it printed between fences. */
import { parseJson } from "@tributary/core/model/parseJson"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { extractedText } from "../extractedText.ts"
import { jsonText } from "./jsonText.ts"
import { markdownHead } from "./markdownHead.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => typeof value === "object" && value !== null ? value as Fields : {}

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** A text, or its lines. */
const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : listOf(value).filter((line) => typeof line === "string").join("")).trim()

/** Longer than any within the text. */
const fenced = (text: string, language: string): string => {
  if (text === "") return ""
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([fence]) => fence.length))
  const fence = "`".repeat(Math.min(100, longest + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

const outputText = (output: unknown): string => {
  const { data, text } = fieldsOf(output)
  return textOf(text) || textOf(fieldsOf(data)["text/plain"])
}

const cellText = (cell: unknown, language: string): string => {
  const { cell_type, outputs, source } = fieldsOf(cell)
  if (cell_type !== "code") return textOf(source)
  return [fenced(textOf(source), language), ...listOf(outputs).map((output) => fenced(outputText(output), ""))]
    .filter((part) => part !== "").join("\n\n")
}

const parsed = (content: string): Fields => {
  try {
    return fieldsOf(parseJson(content))
  } catch {
    return {}
  }
}

export const notebookText = (content: string): Extracted => {
  const { cells, metadata } = parsed(content)
  if (!Array.isArray(cells)) return jsonText(content)
  const { name } = fieldsOf(fieldsOf(metadata)["language_info"])
  const language = typeof name === "string" && /^[\w+-]{1,30}$/.test(name) ? name : ""
  const text = cells.map((cell) => cellText(cell, language)).filter((part) => part !== "").join("\n\n")
  return extractedText(text, markdownHead(text))
}
