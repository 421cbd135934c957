/** One entry of a feed, in whichever format it came. */
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

export const dateOf = (text: string | null | undefined): Date | null => {
  const millis = Date.parse(text?.trim() ?? "")
  return Number.isNaN(millis) ? null : new Date(millis)
}

export const absolute = (url: string | null | undefined, base: string): string | null => {
  const trimmed = url?.trim() ?? ""
  if (trimmed === "" || !URL.canParse(trimmed, base)) return null
  const { href, protocol } = new URL(trimmed, base)
  return protocol === "http:" || protocol === "https:" ? href : null
}
