/** Reading of XML that need not be well formed; names without regard to case. */
import { DomHandler, DomUtils, Parser } from "htmlparser2"

export type XmlElement = Extract<ReturnType<typeof DomUtils.getElements>[number], { attribs: unknown }>

const MAX_DEPTH = 256
/** Of elements, texts and attributes. A listing of 100,000 events has fewer; empty ones take a hundred times their size. */
const MAX_PARTS = 2_000_000

/** Unclosed tags cost the parser time by their square, so their depth is bounded, too. */
class BoundedHandler extends DomHandler {
  #parts = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH) throw new RangeError("too deep")
    super.onopentag(name, attributes)
  }

  protected override addNode(node: Parameters<DomHandler["addNode"]>[0]): void {
    this.onattribute()
    super.addNode(node)
  }

  /** Called by the parser. */
  onattribute(): void {
    if (++this.#parts > MAX_PARTS) throw new RangeError("too many parts")
  }
}

/** Throws a `RangeError` when it is deeper, or has more parts, than any feed or listing. */
export const parseXml = (text: string): ReadonlyArray<XmlElement> => {
  const handler = new BoundedHandler()
  new Parser(handler, { xmlMode: true, decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true }).end(
    text
  )
  return elements(handler.dom)
}

export const elements = (
  nodes: ReadonlyArray<InstanceType<typeof DomHandler>["dom"][number]>
): ReadonlyArray<XmlElement> => nodes.filter((node): node is XmlElement => "attribs" in node)

export const children = (parent: XmlElement, ...names: ReadonlyArray<string>): ReadonlyArray<XmlElement> =>
  elements(parent.children).filter(({ name }) => names.includes(name))

/** The first child of the first of the names that there is. */
export const child = (parent: XmlElement, ...names: ReadonlyArray<string>): XmlElement | undefined => {
  for (const name of names) {
    const [found] = children(parent, name)
    if (found !== undefined) return found
  }
  return undefined
}

export const textOf = (node: XmlElement | undefined): string =>
  node === undefined ? "" : DomUtils.textContent(node).trim()

export const innerMarkup = (node: XmlElement): string => DomUtils.getInnerHTML(node, { xmlMode: true })

/** The text of a piece of HTML. */
export const withoutMarkup = (html: string): string => {
  const handler = new BoundedHandler()
  new Parser(handler).end(html)
  return DomUtils.textContent(handler.dom).trim()
}
