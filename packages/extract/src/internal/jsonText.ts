/** A JSON file's text: every string in it behind its key. A title at its top is the document's. */
import { leafText } from "@tributary/core/leafText"
import { type Extracted, Unreadable } from "@tributary/core/ports/TextExtractor"
import { Effect, type Schema } from "effect"

const parse = (content: string): Effect.Effect<Schema.Json, Unreadable> =>
  Effect.try({
    try: (): Schema.Json => JSON.parse(content),
    catch: () => new Unreadable({ message: "The file is not valid JSON." })
  })

const titleOf = (value: Schema.Json): string | null => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "title")) return null
  const title = Object.entries(value).find(([key]) => key === "title")?.[1]
  return typeof title === "string" && title.trim() !== "" ? title : null
}

export const jsonText = (content: string): Effect.Effect<Extracted, Unreadable> =>
  Effect.map(parse(content), (value) => ({ title: titleOf(value), text: leafText(value) }))
