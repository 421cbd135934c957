/**
 * The text of a Word document, with its lists, tables and notes; title, author and date from its properties.
 *
 * Its parts are read element by element: a tree of all of them would take more memory than a file may.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { DomUtils, parseDocument } from "htmlparser2"
import { decodeText } from "../../../TextFile.ts"
import { boundedZip } from "../../boundedZip.ts"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { DocxBody } from "./DocxBody.ts"
import { DocxStyles } from "./DocxStyles.ts"
import { HtmlBlocks } from "../HtmlBlocks.ts"
import { readXml } from "./xmlElements.ts"

/** Some programs number the parts. */
const PART = /^word\/(document|styles|numbering|footnotes|endnotes)\d*\.xml$/
const PROPERTIES = /^docProps\/core\.xml$|\.psmdcp$/
const NOTES = ["footnote", "endnote"] as const

/** A part without its number, or null if it is not read. */
const partOf = (name: string): string | null => PART.exec(name)?.[1] ?? (PROPERTIES.test(name) ? "properties" : null)

const properties = (xml: string) => {
  const root = parseDocument(xml, { xmlMode: true })
  const read = (name: string) => DomUtils.textContent(DomUtils.getElementsByTagName(name, root, true, 1))
  return { title: read("dc:title"), authors: [read("dc:creator")], date: read("dcterms:modified") }
}

/** The text of each note by its kind and id. */
const notesIn = (xml: string, kind: string, styles: DocxStyles): ReadonlyMap<string, string> => {
  const notes = new Map<string, string>()
  let [blocks, key] = [new HtmlBlocks(), ""]
  let note: DocxBody | null = null
  readXml(xml, {
    open(name, attribute) {
      if (name !== kind) return note?.open(name, attribute)
      key = `${kind} ${attribute("id")}`
      note = new DocxBody(blocks = new HtmlBlocks(), styles)
    },
    close(name) {
      if (name !== kind) return note?.close(name)
      note?.finish()
      notes.set(key, blocks.finish())
      note = null
    },
    text: (text) => note?.text(text)
  })
  return notes
}

export const docxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, partOf)
  if (!parts.has("document")) throw new Damaged("The file is a ZIP archive, but no Word document.")
  const xmlOf = (part: string) => decodeText(parts.get(part) ?? new Uint8Array(), "text/html")
  const blocks = new HtmlBlocks()
  const styles = new DocxStyles(xmlOf("styles"), xmlOf("numbering"))
  const body = new DocxBody(blocks, styles)
  readXml(xmlOf("document"), body)
  body.finish()
  const notes = new Map(NOTES.flatMap((kind) => [...notesIn(xmlOf(`${kind}s`), kind, styles)]))
  if (body.notes.length > 0) blocks.open("ol")
  for (const key of body.notes) {
    blocks.open("li")
    blocks.write(notes.get(key) ?? "")
  }
  const text = blocks.finish()
  const said = properties(xmlOf("properties"))
  return extractedText(text, { ...said, title: said.title.trim() === "" ? blocks.title : said.title })
}
