/** Removes markup that the model must not add to a statement: citation markers, links, images and HTML. */

const REMOVED: ReadonlyArray<readonly [RegExp, string]> = [
  [/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, ""],
  [/<!--[^]*?(?:-->|$)/g, ""],
  [/<\/?[a-z!?][^<>]*(?:>|$)/gi, ""],
  // Images, then links: only what a link says remains.
  [/!\[[^\][]*\](?:\([^)]*\)|\[[^\]]*\])?/g, ""],
  [/\[([^\][]*)\]\([^)]*\)/g, "$1"],
  [/\[([^\][]*[^\][\d\s,;–-][^\][]*)\]\[[^\]]*\]/g, "$1"],
  [
    /(?:\b(?:https?|ftps?|file|wss?):\/\/|\b(?:javascript|vbscript):|\bdata:\w+\/|\bwww\.)[^\s<>"”)\]]*[^\s<>"”)\].,;:!?]/gi,
    ""
  ],
  // [1], [1, 2], [1-3], [^1], 【1†source】
  [/\[\^?\d+(?:\s*[,;–-]\s*\^?\d+)*\]|【[^】]*】/g, ""]
]

/** What makes brackets that contain brackets a link, or what is in them the name of one. */
const TARGET = /(?<=\])(?:\((?:[^()\\]|\\.|\([^()]*\))*\)|:\s*<?(?:\w+:)?(?:\\?\/){2}\S*)/g

const removeAll = (text: string): string => REMOVED.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text)

export const plainStatement = (text: string): string => {
  let plain = text
  // Removing one may put the halves of another together.
  for (let before = ""; before !== plain;) {
    before = plain
    plain = removeAll(plain)
    if (plain === before) plain = plain.replace(TARGET, "")
  }
  return plain.replace(/\(\s*\)/g, "").replace(/\s+/g, " ").replace(/ (?=[.,;:!?](?:\s|$))/g, "").trim()
}
