/**
 * The text of JSON, or of JSON lines: every string after its key. A top-level title is the document's title. JSON with
 * comments is kept as it is.
 */
import { labelledStrings } from "@tributary/core/labelledStrings"
import { parseJson } from "@tributary/core/model/parseJson"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import type { Schema } from "effect"
import { Damaged } from "../Damaged.ts"

const parsed = (content: string): Schema.Json | undefined => {
  try {
    return parseJson(content) as Schema.Json
  } catch {
    return undefined
  }
}

/** A value in each line, each a paragraph; undefined where that is not so. */
const linesText = (content: string): string | undefined => {
  const texts: Array<string> = []
  for (const line of content.split("\n")) {
    const value = line.trim() === "" ? null : parsed(line)
    if (value === undefined) return undefined
    texts.push(labelledStrings(value))
  }
  return texts.filter((text) => text !== "").join("\n\n")
}

const titleOf = (value: Schema.Json): string | null => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "title")) return null
  const title = Object.entries(value).find(([key]) => key === "title")?.[1]
  return typeof title === "string" && title.trim() !== "" ? title : null
}

const STRING_OR_COMMENT = /"(?:[^"\\]|\\[^])*(?:"|$)|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g
const STRING_OR_LAST_COMMA = /"(?:[^"\\]|\\[^])*(?:"|$)|,(?=\s*[\]}])/g

const withoutAll = (content: string, pattern: RegExp): string =>
  content.replace(pattern, (found) => found.startsWith("\"") ? found : " ")

/** Whether it is JSON with comments and commas after the last value, as people write settings. */
const isCommented = (content: string): boolean =>
  parsed(withoutAll(withoutAll(content, STRING_OR_COMMENT), STRING_OR_LAST_COMMA)) !== undefined

/** Throws `Damaged`. */
export const jsonText = (content: string): Extracted => {
  const value = parsed(content)
  if (value !== undefined) return { title: titleOf(value), text: labelledStrings(value) }
  // Its comments say as much as its strings.
  const text = linesText(content) ?? (isCommented(content) ? content : undefined)
  if (text === undefined) throw new Damaged("The file is not valid JSON.")
  return { title: null, text }
}
