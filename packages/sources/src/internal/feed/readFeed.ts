/** Parses the entries of a feed. The format is detected, because servers send the wrong type. */
import { readAtom } from "./atom.ts"
import type { FeedEntry } from "./FeedEntry.ts"
import { readJsonFeed } from "./jsonFeed.ts"
import { readRss } from "./rss.ts"
import { elements, parseXml, type XmlElement } from "../xml.ts"

const withoutPrefix = (element: XmlElement, prefix: string): XmlElement => {
  if (element.name.startsWith(prefix)) element.name = element.name.slice(prefix.length)
  for (const inner of elements(element.children)) withoutPrefix(inner, prefix)
  return element
}

/** The text ends within the feed: its last entry may be a part of one. */
export class UnfinishedFeed extends Error {}

const readXml = (text: string, url: string): ReadonlyArray<FeedEntry | null> | null => {
  const { roots, unfinished } = parseXml(text)
  for (const root of roots) {
    const [, prefix] = /^([\w.-]{1,100}:)?feed$/.exec(root.name) ?? [undefined, null]
    const isFeed = prefix !== null || root.name === "rss" || root.name === "rdf:rdf"
    if (isFeed && root === unfinished) throw new UnfinishedFeed()
    if (prefix !== null) return readAtom(prefix === undefined ? root : withoutPrefix(root, prefix), url)
    if (isFeed) return readRss(root, url)
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

/** The ids that several entries have in common, by mistake: their links and titles are others. */
const sharedIds = (entries: ReadonlyArray<FeedEntry>): ReadonlySet<string> => {
  const first = new Map<string, FeedEntry>()
  const shared = new Set<string>()
  for (const entry of entries) {
    const { title, url } = first.get(entry.id) ?? entry
    if (url !== entry.url && title !== entry.title) shared.add(entry.id)
    if (!first.has(entry.id)) first.set(entry.id, entry)
  }
  return shared
}

/** Null if it is not a feed. Throws `UnfinishedFeed`. Of entries with the same id the first one counts, because feeds start with the newest. */
export const readFeed = (text: string, url: string): ReadonlyArray<FeedEntry> | null => {
  const entries = read(text, url)?.filter((entry) => entry !== null)
  if (entries === undefined) return null
  const shared = sharedIds(entries)
  const byId = new Map<string, FeedEntry>()
  for (const entry of entries) {
    const id = shared.has(entry.id) ? entry.url ?? entry.id : entry.id
    if (!byId.has(id)) byId.set(id, { ...entry, id })
  }
  return [...byId.values()]
}
