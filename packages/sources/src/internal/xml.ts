/** Parses XML that may be malformed; names are case-insensitive. */
import { DomHandler, DomUtils, Parser } from "htmlparser2"

export type XmlElement = Extract<ReturnType<typeof DomUtils.getElements>[number], { attribs: unknown }>

const MAX_DEPTH = 256
/**
 * Elements, texts and attributes. A listing of 100,000 events has fewer; empty ones take a hundred times their size in
 * memory.
 */
const MAX_PARTS = 2_000_000

/** Unclosed tags take quadratic time, so the depth is limited, too. */
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

  /** Within the document itself, which is the first of the stack. */
  get isOpen(): boolean {
    return this.tagStack.length > 1
  }
}

interface XmlDocument {
  readonly roots: ReadonlyArray<XmlElement>
  /** The root that is not closed, because the text was cut off. */
  readonly unfinished: XmlElement | undefined
}

/** Throws a `RangeError` if it is deeper, or has more nodes, than any feed or listing. */
export const parseXml = (text: string): XmlDocument => {
  const handler = new BoundedHandler()
  const parser = new Parser(handler, {
    xmlMode: true,
    decodeEntities: true,
    lowerCaseTags: true,
    lowerCaseAttributeNames: true
  })
  parser.write(text)
  const { isOpen } = handler
  // Closes what is open.
  parser.end()
  const roots = elements(handler.dom)
  return { roots, unfinished: isOpen ? roots.at(-1) : undefined }
}

export const elements = (
  nodes: ReadonlyArray<InstanceType<typeof DomHandler>["dom"][number]>
): ReadonlyArray<XmlElement> => nodes.filter((node): node is XmlElement => "attribs" in node)

export const children = (parent: XmlElement, ...names: ReadonlyArray<string>): ReadonlyArray<XmlElement> =>
  elements(parent.children).filter(({ name }) => names.includes(name))

/** The first child with the first of the names that has a text; without any, the first one. */
export const child = (parent: XmlElement, ...names: ReadonlyArray<string>): XmlElement | undefined => {
  const [first, ...others] = names.flatMap((name) => children(parent, name))
  return others.length === 0 ? first : [first!, ...others].find((one) => textOf(one) !== "") ?? first
}

export const textOf = (node: XmlElement | undefined): string =>
  node === undefined ? "" : DomUtils.textContent(node).trim()

export const innerMarkup = (node: XmlElement): string => DomUtils.getInnerHTML(node, { xmlMode: true })

/** The text of an HTML fragment. */
export const withoutMarkup = (html: string): string => {
  const handler = new BoundedHandler()
  new Parser(handler).end(html)
  return DomUtils.textContent(handler.dom).trim()
}
