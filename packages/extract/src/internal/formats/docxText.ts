/** The text of a Word document, with its tables and notes; title, author and date from its properties. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { DomUtils, parseDocument } from "htmlparser2"
import mammoth from "mammoth"
import { boundedZip } from "../boundedZip.ts"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"
import { htmlText } from "./htmlText.ts"

const BODY = /^word\/document\d*\.xml$/
const PROPERTIES = "docProps/core.xml"

const properties = (xml: string) => {
  const root = parseDocument(xml, { xmlMode: true })
  const read = (name: string) => DomUtils.textContent(DomUtils.getElementsByTagName(name, root, true, 1))
  return { title: read("dc:title"), authors: [read("dc:creator")], date: read("dcterms:modified") }
}

// Pictures contain no text, and unpacking them is expensive.
const withoutPictures = mammoth.images.imgElement(() => Promise.resolve({ src: "" }))

export const docxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, (name) => BODY.test(name) || name === PROPERTIES)
  if (![...parts.keys()].some((name) => BODY.test(name))) {
    throw new Damaged("The file is a ZIP archive, but no Word document.")
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: withoutPictures })
  const { title, text } = htmlText(value)
  const said = properties(parts.get(PROPERTIES)?.toString("utf8") ?? "")
  return extractedText(text, { ...said, title: said.title.trim() === "" ? title : said.title })
}
