/** Turns what is not plain text into the text that is indexed and quoted. */
import { Context, type Effect, Schema } from "effect"
import type { Overloaded } from "../model/Error.ts"

export interface Extracted {
  readonly title: string | null
  readonly text: string
  /** As the file itself names them. */
  readonly authors?: ReadonlyArray<string>
  /** When it was sent, last changed, or begins: what its format says of itself. */
  readonly date?: Date
}

/** The format is none of those that can be read; the message names those that can. */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", { message: Schema.String }) {}

/** The format is known, but this is not a sound piece of it. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** For which workspace text is read: an extractor that many share lets them take turns. */
export const ReadFor = Context.Reference<string>("@tributary/core/ports/TextExtractor/ReadFor", {
  defaultValue: () => ""
})

/** `Overloaded`: too much is waiting to be read already. */
export class TextExtractor extends Context.Service<TextExtractor, {
  /** Text of a marked-up string that a client sent. All text is some HTML or Markdown, but it may take too much to read. */
  fromMarkup(
    content: string,
    contentType: "text/plain" | "text/markdown" | "text/html"
  ): Effect.Effect<Extracted, Unreadable | Overloaded>
  /** Text of a file. `name` and `contentType` are hints from outside, not trusted. */
  fromFile(file: {
    readonly bytes: Uint8Array
    readonly name: string
    readonly contentType: string
  }): Effect.Effect<Extracted, Unsupported | Unreadable | Overloaded>
}>()("@tributary/core/ports/TextExtractor") {}
