/** Bytes to text: by the byte order mark, what the server says, and what the document says of itself, in this order. */
const BYTE_ORDER_MARKS: ReadonlyArray<readonly [string, string]> = [
  ["efbbbf", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"]
]

const declared = (bytes: Uint8Array): string | undefined =>
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(Buffer.from(bytes.subarray(0, 256)).toString("latin1"))?.[1]

const decoder = (label: string | undefined): TextDecoder => {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

export const feedText = (bytes: Uint8Array, contentType: string | null): string => {
  const start = Buffer.from(bytes.subarray(0, 3)).toString("hex")
  const label = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1] ??
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1] ?? declared(bytes)
  return decoder(label).decode(bytes)
}
