/** One entry of a feed, of any format. */
import { createHash } from "node:crypto"
import { withoutMarkup, type XmlElement } from "../xml.ts"

export interface FeedEntry {
  /** Unique in its feed. */
  readonly id: string
  readonly title: string | null
  /** Absolute. */
  readonly url: string | null
  readonly content: string
  readonly contentType: "text/plain" | "text/html"
  readonly authors: ReadonlyArray<string>
  readonly labels: ReadonlyArray<string>
  readonly published: Date | null
}

export const absolute = (url: string | null | undefined, base: string): string | null => {
  const trimmed = url?.trim() ?? ""
  if (trimmed === "" || !URL.canParse(trimmed, base)) return null
  const { href, protocol } = new URL(trimmed, base)
  return protocol === "http:" || protocol === "https:" ? href : null
}

export const baseOf = (element: XmlElement, base: string): string => absolute(element.attribs["xml:base"], base) ?? base

const MARKUP = /&#?\w{1,40};|<\/?[a-z][^<>]*>/i

/** A title whose format does not say whether it is HTML: most that look like it are. */
export const plainTitle = (title: string): string | null => (MARKUP.test(title) ? withoutMarkup(title) : title) || null

/** The id of an entry without one: a digest of its content. Null if there is no content. */
export const idByContent = (title: string | null, content: string): string | null =>
  title === null && content === ""
    ? null
    : createHash("sha256").update(`${title}\0${content}`).digest("hex").slice(0, 32)
