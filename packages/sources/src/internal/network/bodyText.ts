/**
 * Decodes a feed or calendar. A byte order mark or valid UTF-8 wins over the server's charset, which wins over the
 * document's, because both are often wrong.
 */
const MARKED_UTF16: ReadonlyArray<readonly [string, string]> = [["fffe", "utf-16le"], ["feff", "utf-16be"]]

/** Text in these charsets can look like valid UTF-8. */
const DISGUISED = /^(utf-?16|utf-?32|ucs-?2|iso-2022|hz-)/i

const declared = (bytes: Uint8Array): string | undefined =>
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(Buffer.from(bytes.subarray(0, 256)).toString("latin1"))?.[1]

const decoded = (bytes: Uint8Array, label: string, fatal: boolean): string | null => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

export const bodyText = (bytes: Uint8Array, contentType: string | null): string => {
  const start = Buffer.from(bytes.subarray(0, 2)).toString("hex")
  const marked = MARKED_UTF16.find(([mark]) => start === mark)?.[1]
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  const own = declared(bytes)
  // A declaration that is readable as ASCII cannot be in UTF-16.
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1] ??
    (own !== undefined && /^utf-?16/i.test(own) ? "utf-8" : own)
  return (label !== undefined && DISGUISED.test(label) ? decoded(bytes, label, false) : null) ??
    decoded(bytes, "utf-8", true) ??
    decoded(bytes, label ?? "windows-1252", false) ??
    new TextDecoder().decode(bytes)
}
