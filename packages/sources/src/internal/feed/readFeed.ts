/** The entries of a feed, by what it turns out to be, whatever type its server names. */
import { readAtom } from "./atom.ts"
import type { FeedEntry } from "./FeedEntry.ts"
import { readJsonFeed } from "./jsonFeed.ts"
import { readRss } from "./rss.ts"
import { parseXml } from "../xml.ts"

const readXml = (text: string, url: string): ReadonlyArray<FeedEntry | null> | null => {
  for (const root of parseXml(text)) {
    if (root.name === "feed" || root.name === "atom:feed") return readAtom(root, url)
    if (root.name === "rss" || root.name === "rdf:rdf") return readRss(root, url)
  }
  return null
}

const read = (text: string, url: string): ReadonlyArray<FeedEntry | null> | null => {
  try {
    return text.trimStart().startsWith("{") ? readJsonFeed(text, url) : readXml(text, url)
  } catch (error) {
    // Nested deeper than any feed.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Null when it is no feed. The first of entries with one id stands, as feeds begin with the newest. */
export const readFeed = (text: string, url: string): ReadonlyArray<FeedEntry> | null => {
  const entries = read(text, url)
  if (entries === null) return null
  const byId = new Map<string, FeedEntry>()
  for (const entry of entries) if (entry !== null && !byId.has(entry.id)) byId.set(entry.id, entry)
  return [...byId.values()]
}
