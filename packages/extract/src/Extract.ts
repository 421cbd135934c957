/**
 * The text of files and of marked-up strings.
 *
 * Read are plain text, Markdown, HTML and JSON, all in UTF-8. Whatever else a name or a content type promises, the
 * bytes have the last word.
 */
import { TextExtractor, Unreadable, Unsupported } from "@tributary/core/ports/TextExtractor"
import { Effect, Layer } from "effect"
import { formatOf } from "./internal/formatOf.ts"
import { htmlText } from "./internal/htmlText.ts"
import { jsonText } from "./internal/jsonText.ts"
import { markdownTitle } from "./internal/markdownTitle.ts"
import { decodeText } from "./internal/decodeText.ts"

const SUPPORTED = "Supported are plain text, Markdown, HTML and JSON files, in UTF-8."

const fromMarkup: TextExtractor["Service"]["fromMarkup"] = (content, contentType) =>
  Effect.sync(() => {
    switch (contentType) {
      case "text/plain":
        return { title: null, text: content }
      case "text/markdown":
        return { title: markdownTitle(content), text: content }
      case "text/html":
        return htmlText(content)
    }
  })

const fromFile: TextExtractor["Service"]["fromFile"] = Effect.fn("TextExtractor.fromFile")(function*(file) {
  const format = formatOf(file)
  if (format === null) {
    return yield* new Unsupported({ message: `The file's format is not supported. ${SUPPORTED}` })
  }
  const content = yield* decodeText(file.bytes)
  return format === "application/json" ? yield* jsonText(content) : yield* fromMarkup(content, format)
}, Effect.catchTag("Unreadable", ({ message }) => Effect.fail(new Unreadable({ message: `${message} ${SUPPORTED}` }))))

/** `TextExtractor` for the formats named above. */
export const layer: Layer.Layer<TextExtractor> = Layer.succeed(TextExtractor, { fromMarkup, fromFile })
