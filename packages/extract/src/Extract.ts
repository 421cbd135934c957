/**
 * The text of files and of marked-up strings.
 *
 * Read are plain text, Markdown, HTML, JSON and CSV in UTF-8, PDF, Word (DOCX), mails (EML) and calendars (ICS).
 * Whatever else a name or a content type promises, the bytes have the last word. What takes a library to read, or is
 * large, is read in processes of its own, within bounds of time and memory.
 */
import { TextExtractor, Unreadable, Unsupported } from "@tributary/core/ports/TextExtractor"
import { Context, Duration, Effect, Layer } from "effect"
import { Damaged } from "./internal/Damaged.ts"
import { type Format, formatOf, type TextFormat } from "./internal/formatOf.ts"
import { type Answer, type Limits, makeReaderProcesses } from "./internal/ReaderProcesses.ts"
import { readMarkup, readText } from "./internal/readText.ts"

const SUPPORTED = "Supported are plain text, Markdown, HTML, JSON and CSV files in UTF-8, PDF, DOCX, EML and ICS."

/** What one file may take. */
export const ExtractLimits = Context.Reference<Limits>("@tributary/extract/ExtractLimits", {
  defaultValue: () => ({
    time: Duration.seconds(60),
    processor: Duration.seconds(20),
    megabytes: 512
  })
})

/** All text is some HTML, but not all of it can be read. */
const TOO_MUCH = new Unreadable({ message: "The HTML takes too long to read, or too much memory." })

/** Bytes that take no time to read, whatever they are. */
const QUICK = 262_144

/** What is read where it is: a large file of many small parts would hold everybody else up. */
const isQuick = (format: Format, { length }: Uint8Array): format is TextFormat =>
  format === "text/plain" ||
  (length <= QUICK && (format === "text/markdown" || format === "text/html" || format === "application/json"))

const tryText = (format: TextFormat, bytes: Uint8Array): Answer => {
  try {
    return { extracted: readText(format, bytes) }
  } catch (error) {
    if (error instanceof Damaged) return { damaged: error.message }
    throw error
  }
}

/**
 * `TextExtractor` for the formats named above. Two files that need a process are read at once, of two workspaces, and the
 * others wait for their turn; the processes start when they are needed, and end after a minute without a file.
 */
export const layer: Layer.Layer<TextExtractor> = Layer.effect(
  TextExtractor,
  Effect.gen(function*() {
    const apart = yield* makeReaderProcesses(yield* ExtractLimits)
    return TextExtractor.of({
      fromMarkup: (content, contentType) =>
        contentType === "text/html" && content.length > QUICK
          ? Effect.flatMap(
            apart({ format: contentType, bytes: new TextEncoder().encode(content) }),
            (answer) => "damaged" in answer ? Effect.fail(TOO_MUCH) : Effect.succeed(answer.extracted)
          )
          : Effect.sync(() => readMarkup(content, contentType)),
      fromFile: Effect.fn("TextExtractor.fromFile")(function*(file) {
        const format = formatOf(file)
        if (format === null) {
          return yield* new Unsupported({ message: `The file's format is not supported. ${SUPPORTED}` })
        }
        const answer = isQuick(format, file.bytes)
          ? tryText(format, file.bytes)
          : yield* apart({ format, bytes: file.bytes })
        if ("damaged" in answer) return yield* new Unreadable({ message: `${answer.damaged} ${SUPPORTED}` })
        return answer.extracted
      })
    })
  })
)
