/** The text of a file whose format is known. Rejects with `Damaged`, or with whatever a library throws at broken bytes. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { decodeText } from "../TextFile.ts"
import type { Format } from "./formatOf.ts"
import { calendarText } from "./formats/calendarText.ts"
import { csvText } from "./formats/csvText.ts"
import { docxText } from "./formats/docxText.ts"
import { emailText } from "./formats/emailText.ts"
import { readText } from "./readText.ts"

export const readFormat = async (format: Format, bytes: Uint8Array): Promise<Extracted> => {
  switch (format) {
    case "application/pdf":
      // Its library is as large as all others together, and most files are none.
      return (await import("./formats/pdfText.ts")).pdfText(bytes)
    case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
      return docxText(bytes)
    case "message/rfc822":
      return emailText(bytes, readFormat)
    case "text/calendar":
      return calendarText(decodeText(bytes, format))
    case "text/csv":
      return csvText(decodeText(bytes, format))
    default:
      return readText(format, bytes)
  }
}
