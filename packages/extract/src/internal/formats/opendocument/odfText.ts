/** Texts, sheets and slides of OpenDocument files, as LibreOffice writes them. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { decodeText } from "../../../TextFile.ts"
import { boundedZip } from "../../boundedZip.ts"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { firstTexts } from "../office/officeParts.ts"
import { sheetsText } from "../office/SheetCells.ts"
import { readXml } from "../xmlElements.ts"
import { OdfBody } from "./OdfBody.ts"
import { OdfStyles } from "./OdfStyles.ts"
import { OdfSheets } from "./OdfSheets.ts"

const PART = /^(?:mimetype|content\.xml|styles\.xml|meta\.xml|META-INF\/manifest\.xml)$/

const SHEETS = /opendocument\.spreadsheet/

export const odfText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, (name) => PART.test(name) ? name : null)
  const partOf = (name: string) => decodeText(parts.get(name) ?? new Uint8Array(), "text/html")
  if (!parts.has("content.xml")) throw new Damaged("The file is a ZIP archive, but no OpenDocument file.")
  if (/<[\w-]*:?encryption-data\b/.test(partOf("META-INF/manifest.xml"))) {
    throw new Damaged("The file is encrypted. Send it without a password.")
  }
  const content = partOf("content.xml")
  const styles = new OdfStyles(partOf("styles.xml"), content)
  const read = firstTexts(partOf("meta.xml"))
  const said = {
    title: read("dc:title"),
    authors: [read("dc:creator") || read("meta:initial-creator")],
    date: read("dc:date") || read("meta:creation-date")
  }
  if (SHEETS.test(partOf("mimetype"))) {
    const sheets = new OdfSheets(styles)
    readXml(content, sheets)
    return extractedText(sheetsText(sheets.all), said)
  }
  const body = new OdfBody(styles)
  readXml(content, body)
  const text = body.finish()
  return extractedText(text, { ...said, title: said.title.trim() === "" ? body.title : said.title })
}
