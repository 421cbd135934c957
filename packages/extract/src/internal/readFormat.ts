/**
 * Extracts the text of a file of a known format. Rejects with `Damaged`, or with a library's error for invalid bytes.
 */
import { unfoldLines } from "@tributary/core/contentLines"
import { runGenerator } from "@tributary/core/runGenerator"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { decodeParts } from "../TextFile.ts"
import type { Format } from "./formatOf.ts"
import { calendarText } from "./formats/calendarText.ts"
import { csvText } from "./formats/csvText.ts"
import { docxText } from "./formats/word/docxText.ts"
import { contactsText } from "./formats/contactsText.ts"
import { emailText, mailboxText } from "./formats/emailText.ts"
import { epubText } from "./formats/epubText.ts"
import { notebookText } from "./formats/notebookText.ts"
import { odfText } from "./formats/opendocument/odfText.ts"
import { pptxText } from "./formats/office/pptxText.ts"
import { rtfText } from "./formats/rtf/rtfText.ts"
import { xlsxText } from "./formats/office/xlsxText.ts"
import { savedPageText } from "./formats/savedPageText.ts"
import { xmlText } from "./formats/xmlText.ts"
import { readText } from "./readText.ts"

/** `charset` is what the sender declares. */
export const readFormat = async (format: Format, bytes: Uint8Array, charset = ""): Promise<Extracted> => {
  switch (format) {
    case "application/pdf":
      // Loaded on demand: its library is as large as all others together, and rarely needed.
      return (await import("./formats/pdf/pdfText.ts")).pdfText(bytes)
    case "application/mbox":
      return mailboxText(bytes, readFormat)
    case "application/x-ipynb+json":
      return notebookText(runGenerator(decodeParts(bytes, format, charset)))
    case "application/xml":
      return xmlText(runGenerator(decodeParts(bytes, format, charset)))
    case "text/vcard":
      return contactsText(unfoldLines(bytes))
    case "application/epub+zip":
      return epubText(bytes)
    case "application/rtf":
      return rtfText(bytes)
    case "application/vnd.oasis.opendocument":
      return odfText(bytes)
    case "application/vnd.openxmlformats-officedocument.presentationml.presentation":
      return pptxText(bytes)
    case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
      return xlsxText(bytes)
    case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
      return docxText(bytes)
    case "application/ms-tnef":
    case "message/rfc822":
      return emailText(bytes, readFormat)
    case "multipart/related":
      return savedPageText(bytes)
    case "text/calendar":
      return calendarText(runGenerator(decodeParts(unfoldLines(bytes), format, charset)))
    case "text/csv":
      return csvText(runGenerator(decodeParts(bytes, format, charset)))
    default:
      return runGenerator(readText(format, bytes, charset))
  }
}
