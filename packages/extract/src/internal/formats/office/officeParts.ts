/** What the parts of Office Open XML packages have in common: properties, and relations to other parts. */
import { posix } from "node:path"
import { DomUtils, parseDocument } from "htmlparser2"
import { decodeText } from "../../../TextFile.ts"
import type { ParsedFile } from "../../extractedText.ts"
import { readXml } from "../xmlElements.ts"

export type Parts = ReadonlyMap<string, Buffer>

/** Empty if there is no such part. */
export const xmlOf = (parts: Parts, name: string): string =>
  decodeText(parts.get(name) ?? new Uint8Array(), "text/html")

const PROPERTIES = /^docProps\/core\.xml$|\.psmdcp$/

/** Some programs name the part of the properties by a number. */
export const propertiesPart = (name: string): "properties" | null => PROPERTIES.test(name) ? "properties" : null

/** The first text of an element anywhere in an XML document. */
export const firstTexts = (xml: string) => {
  const root = parseDocument(xml, { xmlMode: true })
  return (name: string) => DomUtils.textContent(DomUtils.getElementsByTagName(name, root, true, 1))
}

export const officeProperties = (parts: Parts): ParsedFile & { readonly title: string } => {
  const read = firstTexts(xmlOf(parts, "properties"))
  return { title: read("dc:title"), authors: [read("dc:creator")], date: read("dcterms:modified") }
}

export interface Relation {
  /** Such as `slide` and `notesSlide`. */
  readonly type: string
  /** The name of the other part. */
  readonly target: string
}

/** The parts that a part refers to, by id and in order. */
export const relationsOf = (parts: Parts, name: string): ReadonlyMap<string, Relation> => {
  const folder = posix.dirname(name)
  const relations = new Map<string, Relation>()
  readXml(xmlOf(parts, `${folder}/_rels/${posix.basename(name)}.rels`), {
    open(element, attribute) {
      if (element !== "Relationship" || attribute("TargetMode") === "External") return
      const target = posix.resolve(`/${folder}`, attribute("Target") ?? "").slice(1)
      relations.set(attribute("Id") ?? "", { type: posix.basename(attribute("Type") ?? ""), target })
    }
  })
  return relations
}
