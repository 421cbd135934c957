/** Text of mails in `format=flowed` (RFC 3676): joins lines into paragraphs, each after the marks of what it quotes. */
import PostalMime from "postal-mime"

const SIGNATURE = "-- "

export const unflowed = (text: string, deletesSpace: boolean): string => {
  const pieces: Array<string> = []
  /** How deep the last line is quoted, if its paragraph continues. */
  let open: number | null = null
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)![0].length
    // A space is put before a line that could be taken for a quoted one.
    const content = line.slice(line[depth] === " " ? depth + 1 : depth)
    const isFlowed = content.endsWith(" ") && content !== SIGNATURE
    if (open !== depth || content === SIGNATURE) {
      if (pieces.length > 0) pieces.push("\n")
      pieces.push(line.slice(0, depth), depth > 0 && content !== "" ? " " : "")
    }
    pieces.push(isFlowed && deletesSpace ? content.slice(0, -1) : content)
    open = isFlowed ? depth : null
  }
  return pieces.join("")
}

interface Node {
  decodeFlowedText(text: string, deletesSpace: boolean): string
}

/** The library joins quoted lines with their marks in between, and has no option for it. */
export const unflowAsQuoted = (): void => {
  const { root } = new PostalMime() as unknown as { readonly root: Node }
  const nodes = Object.getPrototypeOf(root) as Node
  nodes.decodeFlowedText = unflowed
}
