/** Metadata of an HTML page from its `meta` elements. */

const AUTHORS: ReadonlySet<string> = new Set(["author", "article:author", "dc.creator", "dcterms.creator"])

const DATES: ReadonlySet<string> = new Set([
  "article:published_time",
  "datepublished",
  "date",
  "dc.date",
  "dcterms.date",
  "dcterms.created"
])

export class HtmlHead {
  readonly authors: Array<string> = []
  date: string | null = null

  /** The metadata of one element. */
  note(attributes: ReadonlyMap<string, string>): void {
    const key = (attributes.get("name") ?? attributes.get("property") ?? attributes.get("itemprop"))?.toLowerCase() ??
      ""
    const content = attributes.get("content") ?? ""
    // Some contain the address of a profile.
    if (AUTHORS.has(key) && !/^https?:/i.test(content)) this.authors.push(content)
    if (DATES.has(key) && !Number.isNaN(Date.parse(content))) this.date ??= content
  }
}
