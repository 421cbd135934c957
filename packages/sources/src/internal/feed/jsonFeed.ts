/** JSON Feed 1.0 and 1.1. Fields of the wrong type are ignored. */
import { dateOf } from "@tributary/core/dateOf"
import { absolute, type FeedEntry, idByContent } from "./FeedEntry.ts"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const text = (value: unknown): string => typeof value === "string" ? value : typeof value === "number" ? `${value}` : ""

const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const authorsOf = (owner: Fields): ReadonlyArray<string> =>
  [...list(owner["authors"]), owner["author"]].filter(isFields).map(({ name }) => text(name))

const entryOf = (feed: Fields, item: unknown, base: string): FeedEntry | null => {
  if (!isFields(item)) return null
  const url = absolute(text(item["url"]) || text(item["external_url"]), base)
  const html = text(item["content_html"])
  const title = text(item["title"]) || null
  const content = html || text(item["content_text"]) || text(item["summary"])
  const id = text(item["id"]) || url || idByContent(title, content)
  if (id === null) return null
  return {
    id,
    title,
    url,
    content,
    contentType: html === "" ? "text/plain" : "text/html",
    authors: [item, feed].map(authorsOf).find((authors) => authors.length > 0) ?? [],
    labels: list(item["tags"]).map(text),
    published: dateOf(text(item["date_published"]) || text(item["date_modified"]))
  }
}

const parsed = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return null
  }
}

/** Null if it is not a JSON Feed. */
export const readJsonFeed = (source: string, url: string): ReadonlyArray<FeedEntry | null> | null => {
  const feed = parsed(source)
  if (!isFields(feed) || !Array.isArray(feed["items"])) return null
  const base = absolute(text(feed["home_page_url"]), url) ?? url
  return feed["items"].map((item) => entryOf(feed, item, base))
}
