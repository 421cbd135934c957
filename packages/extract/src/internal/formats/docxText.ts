/**
 * The text of a Word document, with its lists, tables and notes; title, author and date from its properties.
 *
 * Its parts are read element by element: a tree of all of them would take more memory than a file may.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { DomUtils, parseDocument } from "htmlparser2"
import { decodeText } from "../../TextFile.ts"
import { boundedZip } from "../boundedZip.ts"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"
import { DocxBody } from "./DocxBody.ts"
import { DocxStyles } from "./DocxStyles.ts"
import { HtmlBlocks } from "./HtmlBlocks.ts"
import { readXml } from "./xmlElements.ts"

const BODY = /^word\/document\d*\.xml$/
const PROPERTIES = "docProps/core.xml"
const NOTES = ["footnote", "endnote"] as const
const READ: ReadonlySet<string> = new Set(
  [PROPERTIES, ...["styles", "numbering", ...NOTES.map((kind) => `${kind}s`)].map((name) => `word/${name}.xml`)]
)

const properties = (xml: string) => {
  const root = parseDocument(xml, { xmlMode: true })
  const read = (name: string) => DomUtils.textContent(DomUtils.getElementsByTagName(name, root, true, 1))
  return { title: read("dc:title"), authors: [read("dc:creator")], date: read("dcterms:modified") }
}

/** The text of each note by its kind and id, one line for each paragraph. */
const notesIn = (xml: string, kind: string): ReadonlyArray<readonly [key: string, text: string]> => {
  const notes: Array<[string, string]> = []
  let inText = false
  readXml(xml, {
    open(name, attribute) {
      if (name === kind) notes.push([`${kind} ${attribute("id")}`, ""])
      else if (name === "t") inText = true
      else if (name === "p" && notes.length > 0) notes.at(-1)![1] += "\n"
    },
    close(name) {
      if (name === "t") inText = false
    },
    text(text) {
      if (inText && notes.length > 0) notes.at(-1)![1] += text
    }
  })
  return notes
}

export const docxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, (name) => BODY.test(name) || READ.has(name))
  const main = [...parts.keys()].find((name) => BODY.test(name))
  if (main === undefined) throw new Damaged("The file is a ZIP archive, but no Word document.")
  const xmlOf = (name: string) => decodeText(parts.get(name) ?? new Uint8Array(), "text/html")
  const blocks = new HtmlBlocks()
  const body = new DocxBody(blocks, new DocxStyles(xmlOf("word/styles.xml"), xmlOf("word/numbering.xml")))
  readXml(xmlOf(main), body)
  body.finish()
  const notes = new Map(NOTES.flatMap((kind) => notesIn(xmlOf(`word/${kind}s.xml`), kind)))
  if (body.notes.length > 0) blocks.open("ol")
  for (const key of body.notes) {
    blocks.open("li")
    blocks.write(notes.get(key) ?? "")
  }
  const text = blocks.finish()
  const said = properties(xmlOf(PROPERTIES))
  return extractedText(text, { ...said, title: said.title.trim() === "" ? blocks.title : said.title })
}
