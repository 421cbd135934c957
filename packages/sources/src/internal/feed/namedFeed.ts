/** The feed that a web page names: people connect the page in place of it. */
import { absolute } from "./FeedEntry.ts"

/** The heads of pages are shorter. */
const MAX_SEARCHED = 200_000

const LINK = /<link\s([^<>]{1,2000})>/gi
const FEED = /\btype\s*=\s*["']?application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i
const ALTERNATE = /\brel\s*=\s*["']?alternate\b/i
const ADDRESS = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** Null if it names none. `url` is the page's. */
export const namedFeed = (page: string, url: string): string | null => {
  for (const [, attributes = ""] of page.slice(0, MAX_SEARCHED).matchAll(LINK)) {
    if (!FEED.test(attributes) || !ALTERNATE.test(attributes)) continue
    const [, quoted, single, plain] = ADDRESS.exec(attributes) ?? []
    const found = absolute((quoted ?? single ?? plain)?.replaceAll("&amp;", "&"), url)
    if (found !== null) return found
  }
  return null
}
