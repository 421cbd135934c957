/** The RTF of a mail in Outlook's own format, which is compressed in a way of its own (MS-OXRTFCP). */

const HEADER_BYTES = 16
const COMPRESSED = 0x75465a4c
const UNCOMPRESSED = 0x414c454d

/** What the texts of most mails begin with: they may refer to it. */
const BEGINNING = "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern " +
  "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par " +
  "\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"

/** How far back a text may refer to. */
const WINDOW = 4_096

/** References are short, so a text is no longer than this many times its compressed form. */
const MAX_RATIO = 9
/** A longer one has pictures, which are not read. */
const MAX_BYTES = 8_388_608

/** At most its beginning of 8 MB. Null if it is damaged. */
export const decompressedRtf = (bytes: Buffer): Buffer | null => {
  if (bytes.length < HEADER_BYTES) return null
  const kind = bytes.readUInt32LE(8)
  if (kind === UNCOMPRESSED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + MAX_BYTES)
  if (kind !== COMPRESSED) return null
  const start = BEGINNING.length
  const text = Buffer.alloc(start + Math.min(bytes.length * MAX_RATIO, MAX_BYTES))
  text.write(BEGINNING, "latin1")
  let end = start
  for (let at = HEADER_BYTES; at < bytes.length && end < text.length;) {
    const flags = bytes[at++]!
    for (let bit = 0; bit < 8 && at < bytes.length; bit++) {
      if ((flags >> bit & 1) === 0) text[end++] = bytes[at++]!
      else if (at + 1 >= bytes.length) return null
      else {
        const reference = bytes.readUInt16BE(at)
        at += 2
        // Places are those of a ring; that of the next byte means the end.
        const back = (end - (reference >> 4)) & (WINDOW - 1)
        if (back === 0) return text.subarray(start, end)
        if (back > end) return null
        for (let left = (reference & 0xf) + 2; left > 0; left--, end++) text[end] = text[end - back]!
      }
    }
  }
  return text.subarray(start, end)
}
