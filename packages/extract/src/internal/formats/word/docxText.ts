/**
 * The text of a Word document, with its lists, tables, notes, comments, headers and footers; title, author and date from its properties.
 *
 * Its parts are read element by element: a tree of all of them would take more memory than a file may.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { boundedZip } from "../../boundedZip.ts"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { DocxBody } from "./DocxBody.ts"
import { DocxStyles } from "./DocxStyles.ts"
import { HtmlBlocks } from "../HtmlBlocks.ts"
import { officeProperties, type Parts, propertiesPart, xmlOf } from "../office/officeParts.ts"
import { readXml } from "../xmlElements.ts"

/** Some programs number the parts. A document has several headers and footers. */
const PART = /^word\/(?:(document|styles|numbering|footnotes|endnotes|comments)\d*|((?:header|footer)\d*))\.xml$/
const NOTES = ["footnote", "endnote"] as const
const MARGINS = [["Header", "header", "hdr"], ["Footer", "footer", "ftr"]] as const

/** A part without its number, or null if it is not read. */
const partOf = (name: string): string | null => {
  const [, only, oneOfMany] = PART.exec(name) ?? []
  return only ?? oneOfMany ?? propertiesPart(name)
}

interface Note {
  /** Its kind and id. */
  readonly key: string
  readonly author: string
  readonly text: string
}

/** The elements of one kind with paragraphs: notes, comments, a header. */
const notesIn = (xml: string, kind: string, styles: DocxStyles): ReadonlyArray<Note> => {
  const notes: Array<Note> = []
  let [blocks, key, author] = [new HtmlBlocks(), "", ""]
  let note: DocxBody | null = null
  readXml(xml, {
    open(name, attribute) {
      if (name !== kind) return note?.open(name, attribute)
      key = `${kind} ${attribute("id")}`
      author = attribute("author") ?? ""
      note = new DocxBody(blocks = new HtmlBlocks(), styles)
    },
    close(name) {
      if (name !== kind) return note?.close(name)
      note?.finish()
      notes.push({ key, author, text: blocks.finish() })
      note = null
    },
    text: (text) => note?.text(text)
  })
  return notes
}

/** The page headers and footers, each text once: pages of several sections repeat them. One without words is a number. */
const marginsOf = (parts: Parts, styles: DocxStyles): ReadonlyArray<string> => {
  const texts = MARGINS.flatMap(([label, part, kind]) =>
    [...parts.keys()].filter((name) => name.startsWith(part)).toSorted().flatMap((name) =>
      notesIn(xmlOf(parts, name), kind, styles).filter(({ text }) => /\p{L}/u.test(text)).map(({ text }) =>
        `${label}: ${text}`
      )
    )
  )
  return [...new Set(texts)]
}

const commentText = ({ author, text }: Note): string => `${author === "" ? "Comment" : `Comment by ${author}`}: ${text}`

export const docxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, partOf)
  if (!parts.has("document")) throw new Damaged("The file is a ZIP archive, but no Word document.")
  const blocks = new HtmlBlocks()
  const styles = new DocxStyles(xmlOf(parts, "styles"), xmlOf(parts, "numbering"))
  const body = new DocxBody(blocks, styles)
  readXml(xmlOf(parts, "document"), body)
  body.finish()
  const notes = new Map(
    NOTES.flatMap((kind) => notesIn(xmlOf(parts, `${kind}s`), kind, styles)).map(({ key, text }) => [key, text])
  )
  if (body.notes.length > 0) blocks.open("ol")
  for (const key of body.notes) {
    blocks.open("li")
    blocks.write(notes.get(key) ?? "")
  }
  const comments = notesIn(xmlOf(parts, "comments"), "comment", styles).filter(({ text }) => text !== "")
  const text = [blocks.finish(), ...comments.map(commentText), ...marginsOf(parts, styles)]
    .filter((part) => part !== "").join("\n\n")
  const said = officeProperties(parts)
  return extractedText(text, { ...said, title: said.title.trim() === "" ? blocks.title : said.title })
}
