import { dateOf } from "@tributary/core/dateOf"
import { absolute, baseOf, type FeedEntry, idByContent } from "./FeedEntry.ts"
import { child, children, innerMarkup, textOf, withoutMarkup, type XmlElement } from "../xml.ts"

const typeOf = (element: XmlElement): string => (element.attribs["type"] ?? "").replace(/;.*/s, "").trim().toLowerCase()

const isHtml = (element: XmlElement): boolean => ["html", "text/html"].includes(typeOf(element))

const isXhtml = (element: XmlElement): boolean => ["xhtml", "application/xhtml+xml"].includes(typeOf(element))

const plain = (element: XmlElement | undefined): string =>
  element === undefined ? "" : isHtml(element) ? withoutMarkup(textOf(element)) : textOf(element)

const linkOf = (entry: XmlElement, base: string): string | null => {
  const links = children(entry, "link")
  const link = links.find(({ attribs }) => (attribs["rel"] ?? "alternate") === "alternate") ?? links[0]
  return link === undefined ? null : absolute(link.attribs["href"], baseOf(link, base))
}

const authorsOf = (parent: XmlElement | undefined): ReadonlyArray<string> =>
  parent === undefined ? [] : children(parent, "author").map((author) => textOf(child(author, "name", "email")))

const entryOf = (feed: XmlElement, entry: XmlElement, base: string): FeedEntry | null => {
  const content = child(entry, "content", "summary", "media:group")
  const url = linkOf(entry, base)
  const title = plain(child(entry, "title")) || null
  const text = content === undefined ? "" : isXhtml(content) ? innerMarkup(content) : textOf(content)
  const id = textOf(child(entry, "id")) || url || idByContent(title, text)
  if (id === null) return null
  return {
    id,
    title,
    url,
    content: text,
    contentType: content !== undefined && (isHtml(content) || isXhtml(content)) ? "text/html" : "text/plain",
    // An entry without authors has those of the feed that it comes from.
    authors: [entry, child(entry, "source"), feed].map(authorsOf).find((authors) => authors.length > 0) ?? [],
    labels: children(entry, "category").map(({ attribs }) => attribs["label"] ?? attribs["term"] ?? ""),
    published: dateOf(textOf(child(entry, "published", "updated", "issued", "modified")))
  }
}

export const readAtom = (feed: XmlElement, url: string): ReadonlyArray<FeedEntry | null> => {
  const base = baseOf(feed, url)
  return children(feed, "entry").map((entry) => entryOf(feed, entry, baseOf(entry, base)))
}
