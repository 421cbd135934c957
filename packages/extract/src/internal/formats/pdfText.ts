/** The text of a PDF, page by page; title, author and date as the file names them. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { getDocumentProxy, getMeta } from "unpdf"
import { Damaged } from "../Damaged.ts"
import { described } from "../described.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

interface Field {
  readonly type: string
  readonly value: unknown
  readonly hidden?: boolean
  readonly password?: boolean
}

/** Fields that hold words. */
const TYPED: ReadonlySet<string> = new Set(["text", "combobox", "listbox"])

const isShown = (field: object): field is Field => {
  const { hidden, password, type } = field as Field
  return TYPED.has(type) && hidden !== true && password !== true
}

const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException"

const open = (bytes: Uint8Array): Promise<Pdf> =>
  // The library takes the memory of what it is given, and no Buffer.
  getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error) => {
    throw isEncrypted(error) ? new Damaged("The file is encrypted. Send it without a password.") : error
  })

const pageText = async (pdf: Pdf, number: number): Promise<string> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return items.map((item) => "str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "").join("").trim()
}

/** What was filled in, which stands on no page as text. */
const filledIn = async (pdf: Pdf): Promise<string> => {
  const fields = Object.entries(await pdf.getFieldObjects() ?? {})
  return fields.flatMap(([name, all]) => {
    const label = name.split(".").at(-1)!.replace(/\[\d+\]$/, "")
    const values = all.filter(isShown).flatMap(({ value }) => [value].flat())
      .filter((value) => typeof value === "string" && value.trim() !== "")
    return values.length === 0 ? [] : [`${label}: ${[...new Set(values)].join(", ")}`]
  }).join("\n")
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
  const form = await filledIn(pdf)
  if (form !== "") pages.push(form)
  // Stored without a word, it would never be found, and nobody would know why.
  if (pages.length === 0) {
    throw new Damaged("The file holds no text that can be read. It may be a scan, whose pages are pictures.")
  }
  const { info } = await getMeta(pdf, { parseDates: true })
  return described(pages.join("\n\n"), {
    title: info["Title"],
    authors: [info["Author"]],
    date: info["ModDate"] ?? info["CreationDate"]
  })
}
