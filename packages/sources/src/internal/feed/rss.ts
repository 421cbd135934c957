/** RSS 0.9x, 1.0 and 2.0. */
import { dateOf } from "@tributary/core/dateOf"
import { absolute, baseOf, type FeedEntry, idByContent, plainTitle } from "./FeedEntry.ts"
import { child, children, textOf, type XmlElement } from "../xml.ts"

const entryOf = (item: XmlElement, base: string): FeedEntry | null => {
  const guid = child(item, "guid")
  const permanent = guid !== undefined && guid.attribs["ispermalink"] !== "false" ? textOf(guid) : null
  const url = absolute(textOf(child(item, "link")), base) ?? absolute(permanent?.includes(":") ? permanent : null, base)
  const title = plainTitle(textOf(child(item, "title", "media:title")))
  const content = textOf(child(item, "content:encoded", "description", "itunes:summary", "media:description"))
  const published = child(item, "pubdate", "dc:date", "dcterms:created", "published")
  const named = [title, textOf(published)].join(" ").trim()
  const id = textOf(guid) || item.attribs["rdf:about"] || url || named || idByContent(title, content)
  if (id === null) return null
  return {
    id,
    title,
    url,
    content,
    contentType: "text/html",
    authors: children(item, "author", "dc:creator", "itunes:author").map(textOf),
    labels: children(item, "category", "dc:subject").map(textOf),
    published: dateOf(textOf(published))
  }
}

export const readRss = (root: XmlElement, url: string): ReadonlyArray<FeedEntry | null> => {
  const channel = child(root, "channel") ?? root
  const outer = baseOf(channel, baseOf(root, url))
  const base = outer === url ? absolute(textOf(child(channel, "link")), url) ?? url : outer
  return [...children(channel, "item"), ...channel === root ? [] : children(root, "item")]
    .map((item) => entryOf(item, baseOf(item, base)))
}
