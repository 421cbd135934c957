/**
 * Extracts the text of files and of marked-up strings.
 *
 * Supported are plain text, Markdown, HTML, XML, JSON and CSV in UTF-8, a declared charset or windows-1252, PDF, Office files (DOCX, PPTX,
 * XLSX), OpenDocument files (ODT, ODP, ODS), RTF, books (EPUB), mails (EML, MBOX, and those of Outlook in a `winmail.dat`), calendars (ICS), contacts (VCF),
 * notebooks (IPYNB) and saved pages (MHTML).
 * The bytes decide the format, not the name or the content type. Formats that need a library, and large files, are
 * parsed in separate processes with limits on time and memory.
 */
import { TextExtractor, Unreadable, Unsupported } from "@tributary/core/ports/TextExtractor"
import { inSlices } from "@tributary/core/Slices"
import { memoryLimit } from "@tributary/node/memoryLimit"
import { Context, Duration, Effect, Layer } from "effect"
import { Damaged } from "./internal/Damaged.ts"
import { type Format, formatOf, isEncrypted, type TextFormat } from "./internal/formatOf.ts"
import { type Answer, type Limits, makeReaderProcesses } from "./internal/ReaderProcesses.ts"
import { readMarkup, readText } from "./internal/readText.ts"
import { availableConfinement, type Confinement } from "./internal/sandbox.ts"

const SUPPORTED =
  "Supported are plain text, Markdown, HTML, XML, JSON and CSV files, PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, RTF, " +
  "EPUB, EML, MBOX, ICS, VCF, IPYNB and MHTML."

/** The limits for one file. Small machines refuse a file that needs much memory, instead of ending the server. */
export const ExtractLimits = Context.Reference<Limits>("@tributary/extract/ExtractLimits", {
  defaultValue: () => ({
    time: Duration.seconds(60),
    processor: Duration.seconds(20),
    megabytes: Math.min(512, Math.floor(memoryLimit() / 8_000_000))
  })
})

/** What the system offers to confine the processes that parse files. */
export const ExtractConfinement = Context.Reference<Promise<Confinement>>("@tributary/extract/ExtractConfinement", {
  defaultValue: availableConfinement
})

/** Any text is valid HTML, but it may take too long to parse. */
const TOO_MUCH = new Unreadable({ message: "The HTML takes too long to read, or too much memory." })

/** Files up to this size are parsed quickly, whatever they contain. */
const QUICK = 262_144

/** In a content type. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i

/** Formats that are parsed in this process: a large file of many small parts would block others. */
const isQuick = (format: Format, { length }: Uint8Array): format is TextFormat =>
  format === "text/plain" ||
  (length <= QUICK && (format === "text/markdown" || format === "text/html" || format === "application/json"))

function* tryText(format: TextFormat, bytes: Uint8Array, charset: string): Generator<void, Answer> {
  try {
    return { extracted: yield* readText(format, bytes, charset) }
  } catch (error) {
    if (error instanceof Damaged) return { damaged: error.message }
    throw error
  }
}

/**
 * `TextExtractor` for the formats above. Two files are parsed in processes at a time, of two accounts; others wait
 * for their turn. Processes start on demand and stop after a minute without a file.
 */
export const layer: Layer.Layer<TextExtractor> = Layer.effect(
  TextExtractor,
  Effect.gen(function*() {
    const apart = yield* makeReaderProcesses(yield* ExtractLimits, yield* ExtractConfinement)
    return TextExtractor.of({
      fromMarkup: (content, contentType) =>
        contentType === "text/plain"
          ? Effect.succeed(readMarkup(content, contentType))
          : contentType === "text/html" && content.length > QUICK
          ? Effect.flatMap(
            apart({ format: contentType, bytes: new TextEncoder().encode(content), charset: "" }),
            (answer) => "extracted" in answer ? Effect.succeed(answer.extracted) : Effect.fail(TOO_MUCH)
          )
          : Effect.sync(() => readMarkup(content, contentType)),
      fromFile: Effect.fn("TextExtractor.fromFile")(function*(file) {
        const format = formatOf(file)
        if (format === null) {
          return yield* new Unsupported({
            message: isEncrypted(file) ? "The file is encrypted." : `The file's format is not supported. ${SUPPORTED}`
          })
        }
        const charset = CHARSET.exec(file.contentType)?.[1] ?? ""
        const answer = isQuick(format, file.bytes)
          ? yield* inSlices(tryText(format, file.bytes, charset))
          : yield* apart({ format, bytes: file.bytes, charset })
        if ("refused" in answer) return yield* new Unsupported({ message: answer.refused })
        if ("damaged" in answer) return yield* new Unreadable({ message: `${answer.damaged} ${SUPPORTED}` })
        return answer.extracted
      })
    })
  })
)
