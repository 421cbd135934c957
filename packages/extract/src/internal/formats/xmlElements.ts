/** The elements of an XML document in order, without their namespaces; an attribute may be asked for with its own. Nothing is kept of it, and no entity is expanded. */
import { Parser } from "htmlparser2"
import { Damaged } from "../Damaged.ts"

/** More than any program writes. The parser takes time in proportion to the depth for each element. */
const MAX_DEPTH = 5_000

export interface XmlElements {
  open(
    name: string,
    attribute: (name: string) => string | null,
    /** All of them, with their namespaces. */
    attributes: Readonly<Record<string, string>>
  ): void
  close?(name: string): void
  text?(text: string): void
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

export const readXml = (xml: string, elements: XmlElements): void => {
  let depth = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++depth > MAX_DEPTH) throw new Damaged("The parts of the file are nested too deeply.")
      elements.open(
        localName(name),
        (wanted) =>
          attributes[wanted] ?? Object.entries(attributes).find(([key]) => localName(key) === wanted)?.[1] ?? null,
        attributes
      )
    },
    onclosetag: (name) => {
      depth--
      elements.close?.(localName(name))
    },
    ontext: (text) => elements.text?.(text)
  }, { xmlMode: true })
  parser.write(xml)
  parser.end()
}
