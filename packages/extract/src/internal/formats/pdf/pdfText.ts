/** The text of a PDF by page; title, author and date from its metadata. */
import { fileURLToPath } from "node:url"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { getDocument, PDFDateString } from "pdfjs-dist/legacy/build/pdf.mjs"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { MAX_CHARACTERS, tooMuchText } from "../../limits.ts"
import { type Run, textOf, undivided } from "./pdfRuns.ts"

type Pdf = Awaited<ReturnType<typeof getDocument>["promise"]>

/** Character maps for Chinese, Japanese and Korean fonts that a file does not embed. */
const CHARACTER_MAPS = fileURLToPath(new URL("cmaps/", import.meta.resolve("pdfjs-dist/package.json")))

interface Field {
  readonly type: string
  readonly value: unknown
  readonly hidden?: boolean
  readonly password?: boolean
}

/** The metadata that the library returns, each a text. */
type Information = Partial<Record<"Title" | "Author" | "ModDate" | "CreationDate", string>>

const dateIn = (text = ""): Date | null => PDFDateString.toDateObject(text)

/** Form fields that contain text. */
const TYPED: ReadonlySet<string> = new Set(["text", "combobox", "listbox"])

const isShown = (field: object): field is Field => {
  const { hidden, password, type } = field as Field
  return TYPED.has(type) && hidden !== true && password !== true
}

const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException"

const pageText = async (pdf: Pdf, number: number): Promise<string> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return textOf(items.filter((item): item is Extract<typeof item, Run> => "str" in item))
}

/** Values of form fields, which are not part of a page's text. */
const filledIn = async (pdf: Pdf): Promise<string> => {
  const fields = await pdf.getFieldObjects() ?? new Map<string, Array<object>>()
  return [...fields].flatMap(([name, all]) => {
    const label = name.split(".").at(-1)!.replace(/\[\d+\]$/, "")
    const values = all.filter(isShown).flatMap(({ value }) => [value].flat())
      .filter((value) => typeof value === "string" && value.trim() !== "")
    return values.length === 0 ? [] : [`${label}: ${[...new Set(values)].join(", ")}`]
  }).join("\n")
}

const contentOf = async (pdf: Pdf): Promise<Extracted> => {
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
  // Without text it would never be found, and nobody would know why.
  if (pages.length === 0) {
    throw new Damaged("The file holds no text that can be read. It may be a scan, whose pages are pictures.")
  }
  const { Author, CreationDate, ModDate, Title } = (await pdf.getMetadata()).info as Information
  return extractedText(undivided(pages.join("\n\n")), {
    title: Title,
    authors: [Author],
    date: dateIn(ModDate) ?? dateIn(CreationDate)
  })
}

export const pdfText = async (bytes: Uint8Array): Promise<Extracted> => {
  const task = getDocument({
    // The library takes over the memory of its input, and accepts no Buffer.
    data: new Uint8Array(bytes),
    cMapUrl: CHARACTER_MAPS,
    useSystemFonts: true,
    verbosity: 0
  })
  try {
    return await contentOf(await task.promise)
  } catch (error) {
    throw isEncrypted(error) ? new Damaged("The file is encrypted. Send it without a password.") : error
  } finally {
    // Fonts and character maps stay in memory otherwise.
    await task.destroy()
  }
}
