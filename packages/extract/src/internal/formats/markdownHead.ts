/** Metadata of a Markdown text: from its front matter, or its first heading. */
import type { ParsedFile } from "../extractedText.ts"
import { htmlText } from "./htmlText.ts"

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}[ \t](.*)$/
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/

/** A heading in HTML, perhaps in other elements, and its end. */
const TAGGED = /^ {0,3}(?:<.*)?<h[1-6](?:\s[^<>]*)?>/i
const TAGGED_END = /<\/h[1-6]>/i

// A line that can be underlined as a heading is ordinary text: no list, quote, table or rule.
const ORDINARY = /^ {0,3}[^\s#>|*+\-=`~]/

/** Longer titles are cut. */
const MAX_LINE = 4_000

/** Line by line, so that a document without a heading is not copied. */
function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf("\n", start)
    yield text.slice(start, Math.min(end === -1 ? text.length : end, start + MAX_LINE)).replace(/\r$/, "")
    if (end === -1) return
    start = end + 1
  }
}

/** Tags of what is within a line. Other text in angle brackets, as in `List<T>`, is not markup. */
const INLINE = /<\/?(?:a|b|br|code|em|font|i|img|kbd|small|span|strong|sub|sup)(?:[\s/][^<>]*)?>/gi

/**
 * Removes closing `#`s, emphasis, code marks, tags and link targets. Titles are short, so regular expressions are cheap.
 */
const plain = (heading: string): string =>
  heading
    .trim()
    .slice(0, 2_000)
    .replace(/[ \t]#+[ \t]*$/, "")
    .replace(INLINE, "")
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`]+/g, "")
    .trim()

/** In YAML, or in TOML. */
const FIELD = /^(title|authors?|date)[ \t]*[:=](.*)$/i
const LISTED = /^[ \t]*-[ \t](.*)$/

/** Of an author with further fields. */
const NAME = /^\s*name[ \t]*:/i

const unquoted = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, "$2").trim()

/** The fields of front matter with one line per value, or lists of such. */
const fieldsOf = (lines: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const fields = new Map<string, Array<string>>()
  let open: Array<string> | undefined
  for (const line of lines) {
    const [, name, value = ""] = FIELD.exec(line) ?? []
    const item = LISTED.exec(line)?.[1] ?? (/^[ \t]+name[ \t]*:/i.test(line) ? line : undefined)
    if (name !== undefined) {
      const list = /^\s*\[(.*)\]\s*$/.exec(value)?.[1]?.split(",") ?? [value]
      open = list.map(unquoted).filter((one) => one !== "")
      fields.set(name.toLowerCase(), open)
    } else if (item !== undefined) open?.push(unquoted(item.replace(NAME, "")))
    else if (!/^[ \t]/.test(line)) open = undefined
  }
  return fields
}

/** How front matter begins and ends. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([["---", /^(---|\.\.\.)\s*$/], ["+++", /^\+{3}\s*$/]])

/** The most lines of front matter. */
const MAX_FRONT = 200

/** A later heading is not a title. */
const MAX_LINES = 10_000

const taggedHeading = (html: string): string => plain(htmlText(html.replaceAll(/(?<=<\/?h)[1-6]/gi, "1")).title ?? "")

const heading = (lines: Iterable<string>): string | null => {
  let fence: string | null = null
  let before = ""
  let tagged = ""
  let left = MAX_LINES
  for (const line of lines) {
    if (left-- === 0) return null
    if (fence !== null) fence = line.trim().startsWith(fence) ? null : fence
    else if (tagged !== "" || TAGGED.test(line)) {
      tagged += `${line}\n`
      const isClosed = TAGGED_END.test(line)
      const title = isClosed ? taggedHeading(tagged) : ""
      if (title !== "") return title
      if (isClosed || tagged.length > MAX_LINE) tagged = ""
    } else {
      const opened = FENCE.exec(line)?.[1]
      const found = HEADING.exec(line)?.[1] ?? (UNDERLINE.test(line) && ORDINARY.test(before) ? before : undefined)
      if (opened !== undefined) fence = opened
      else if (found !== undefined && plain(found) !== "") return plain(found)
      before = line
    }
  }
  return null
}

export const markdownHead = (text: string): ParsedFile => {
  const lines = linesOf(text)
  const first = lines.next()
  const end = first.done === true ? undefined : ENDS.get(first.value.trimEnd())
  if (end === undefined) return { title: heading(linesOf(text)) }
  const front: Array<string> = []
  for (let line = lines.next(); line.done !== true && !end.test(line.value); line = lines.next()) {
    if (front.length < MAX_FRONT) front.push(line.value)
  }
  const fields = fieldsOf(front)
  return {
    title: fields.get("title")?.[0] ?? heading(lines),
    authors: fields.get("authors") ?? fields.get("author") ?? [],
    date: fields.get("date")?.[0]
  }
}
