import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Effect } from "effect"

const utf8 = (text: string) => new TextEncoder().encode(text)

export const read = (name: string, contentType: string, content: string | Uint8Array) =>
  Effect.flatMap(
    TextExtractor,
    (extractor) =>
      extractor.fromFile({ name, contentType, bytes: typeof content === "string" ? utf8(content) : content })
  )

export const refusal = (name: string, contentType: string, content: string | Uint8Array) =>
  Effect.flip(read(name, contentType, content))
