/** Extracts the text of text formats. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { decodeParts } from "../TextFile.ts"
import { extractedText } from "./extractedText.ts"
import type { TextFormat } from "./formatOf.ts"
import { htmlText } from "./formats/htmlText.ts"
import { jsonText } from "./formats/jsonText.ts"
import { markdownHead } from "./formats/markdownHead.ts"

/** Cannot fail, because any text is valid markup. */
export const readMarkup = (content: string, format: Exclude<TextFormat, "application/json">): Extracted => {
  switch (format) {
    case "text/plain":
      return { title: null, text: content }
    case "text/markdown":
      return extractedText(content, markdownHead(content))
    case "text/html":
      return htmlText(content)
  }
}

/** Throws `Damaged`. Pauses at each `yield`. */
export function* readText(format: TextFormat, bytes: Uint8Array, charset: string): Generator<void, Extracted> {
  const content = yield* decodeParts(bytes, format, charset)
  return format === "application/json" ? jsonText(content) : readMarkup(content, format)
}
