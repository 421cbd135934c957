/** The first heading of a Markdown text, as a reader sees it. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)$/
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/

// A line that can be underlined to make a heading is an ordinary one: no list, quote, table or rule.
const ORDINARY = /^ {0,3}[^\s#>|*+\-=`~]/

/** Lines are looked at one by one, so that a document without a heading is not copied as a whole. */
function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf("\n", start)
    yield text.slice(start, end === -1 ? text.length : end).replace(/\r$/, "")
    if (end === -1) return
    start = end + 1
  }
}

/** Without the closing `#`s, emphasis, code marks and the targets of links. Of a title's length, so patterns stay cheap. */
const plain = (heading: string): string =>
  heading
    .slice(0, 2_000)
    .replace(/[ \t]#+[ \t]*$/, "")
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`]+/g, "")
    .trim()

export const markdownTitle = (text: string): string | null => {
  let fence: string | null = null
  let frontMatter = false
  let before = ""
  let first = true
  for (const line of linesOf(text)) {
    if (first && line.trimEnd() === "---") frontMatter = true
    else if (frontMatter) frontMatter = line.trimEnd() !== "---"
    else if (fence !== null) fence = line.trim().startsWith(fence) ? null : fence
    else {
      const opened = FENCE.exec(line)?.[1]
      const heading = HEADING.exec(line)?.[1] ?? (UNDERLINE.test(line) && ORDINARY.test(before) ? before : undefined)
      if (opened !== undefined) fence = opened
      else if (heading !== undefined && plain(heading) !== "") return plain(heading)
      before = line
    }
    first = false
  }
  return null
}
