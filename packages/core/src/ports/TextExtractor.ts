/** Extracts the text that is indexed and quoted from other formats. */
import { Context, type Effect, Schema } from "effect"
import type { Overloaded } from "../model/Error.ts"

export interface Extracted {
  readonly title: string | null
  /** Headings, items, tables and code have the marks of Markdown, by which units of text are recognized. */
  readonly text: string
  /** As the file names them. */
  readonly authors?: ReadonlyArray<string>
  /** When it was sent, last changed, or starts, according to the file. */
  readonly date?: Date
}

/** The format is not supported; the message lists those that are. */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", { message: Schema.String }) {}

/** The format is supported, but the content is damaged. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** The account for which text is extracted, so that a shared extractor can be fair. */
export const ReadFor = Context.Reference<string>("@tributary/core/ports/TextExtractor/ReadFor", {
  defaultValue: () => ""
})

/**
 * Extracts text: `open` takes one as `extractor`.
 *
 * `Overloaded`: too many files are waiting. What has not ended within ten minutes is interrupted, and the item refused.
 */
export class TextExtractor extends Context.Service<TextExtractor, {
  /**
   * Text of a marked-up string from a client. Any text is valid HTML or Markdown, but it may take too long to parse.
   */
  fromMarkup(
    content: string,
    contentType: "text/plain" | "text/markdown" | "text/html"
  ): Effect.Effect<Extracted, Unreadable | Overloaded>
  /** Text of a file. `name` and `contentType` are hints from the client and not trusted. */
  fromFile(file: {
    readonly bytes: Uint8Array
    readonly name: string
    readonly contentType: string
  }): Effect.Effect<Extracted, Unsupported | Unreadable | Overloaded>
}>()("@tributary/core/ports/TextExtractor") {}
