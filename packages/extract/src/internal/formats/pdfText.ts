/** The text of a PDF, page by page; title, author and date as the file names them. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { getDocumentProxy, getMeta } from "unpdf"
import { Damaged } from "../Damaged.ts"
import { described } from "../described.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException"

const open = (bytes: Uint8Array): Promise<Pdf> =>
  // The library takes the memory of what it is given.
  getDocumentProxy(bytes.slice(), { verbosity: 0 }).catch((error) => {
    throw isEncrypted(error) ? new Damaged("The file is encrypted. Send it without a password.") : error
  })

const pageText = async (pdf: Pdf, number: number): Promise<string> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return items.map((item) => "str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "").join("").trim()
}

export const pdfText = async (bytes: Uint8Array): Promise<Extracted> => {
  const pdf = await open(bytes)
  const pages: Array<string> = []
  let characters = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number)
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    if (text !== "") pages.push(text)
  }
  // Stored without a word, it would never be found, and nobody would know why.
  if (pages.length === 0) throw new Damaged("The file holds no text. It may be a scan, whose pages are pictures.")
  const { info } = await getMeta(pdf, { parseDates: true })
  return described(pages.join("\n\n"), {
    title: info["Title"],
    authors: [info["Author"]],
    date: info["ModDate"] ?? info["CreationDate"]
  })
}
