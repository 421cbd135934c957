/** The chapters of an electronic book (EPUB) in the order in which they are read. */
import { posix } from "node:path"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { decodeText } from "../../TextFile.ts"
import { boundedZip } from "../boundedZip.ts"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"
import { htmlText } from "./htmlText.ts"
import { firstTexts } from "./office/officeParts.ts"
import { readXml } from "./xmlElements.ts"

const CONTAINER = "META-INF/container.xml"

/** What may be a chapter: some have no extension that says so. */
const PICTURE = /\.(?:css|gif|jpe?g|js|mp[34]|otf|png|svg|ttf|webp|woff2?)$/i

const decodedName = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The package document, which lists the chapters. */
const packageIn = (container: string): string => {
  let path: string | null = null
  readXml(container, {
    open(name, attribute) {
      if (name === "rootfile") path ??= attribute("full-path")
    }
  })
  return path ?? ""
}

const chaptersOf = (xml: string, folder: string): ReadonlyArray<string> => {
  const files = new Map<string, string>()
  const chapters: Array<string> = []
  readXml(xml, {
    open(name, attribute) {
      if (name === "item") {
        files.set(attribute("id") ?? "", posix.join(folder, decodedName(attribute("href") ?? "")))
      } else if (name === "itemref") chapters.push(files.get(attribute("idref") ?? "") ?? "")
    }
  })
  return [...new Set(chapters)]
}

export const epubText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, (name) => PICTURE.test(name) ? null : name)
  const partOf = (name: string) => decodeText(parts.get(name) ?? new Uint8Array(), "text/html")
  const name = packageIn(partOf(CONTAINER))
  const xml = partOf(name)
  if (xml === "") throw new Damaged("The file is a ZIP archive, but no EPUB.")
  const texts: Array<string> = []
  let characters = 0
  for (const chapter of chaptersOf(xml, posix.dirname(name))) {
    const { text } = htmlText(partOf(chapter))
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    if (text !== "") texts.push(text)
  }
  const read = firstTexts(xml)
  return extractedText(texts.join("\n\n"), {
    title: read("dc:title"),
    authors: [read("dc:creator")],
    date: read("dc:date")
  })
}
