/** The text of a JSON file: every string after its key. A top-level title is the document's title. */
import { labelledStrings } from "@tributary/core/labelledStrings"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import type { Schema } from "effect"
import { Damaged } from "../Damaged.ts"

const parse = (content: string): Schema.Json => {
  try {
    return JSON.parse(content)
  } catch {
    throw new Damaged("The file is not valid JSON.")
  }
}

const titleOf = (value: Schema.Json): string | null => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "title")) return null
  const title = Object.entries(value).find(([key]) => key === "title")?.[1]
  return typeof title === "string" && title.trim() !== "" ? title : null
}

/** Throws `Damaged`. */
export const jsonText = (content: string): Extracted => {
  const value = parse(content)
  return { title: titleOf(value), text: labelledStrings(value) }
}
