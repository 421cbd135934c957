/** The lines of calendars as they arrive (RFC 5545, 3.1). */

const [LINE_FEED, CARRIAGE_RETURN, SPACE, TAB] = [10, 13, 32, 9]

/** A line continues behind a line break and a blank, which may be between the bytes of one character. */
export const unfoldLines = (bytes: Uint8Array): Uint8Array => {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const feed = bytes[at] === CARRIAGE_RETURN ? at + 1 : at
    const blank = bytes[feed + 1]
    if (bytes[feed] === LINE_FEED && (blank === SPACE || blank === TAB)) at = feed + 1
    else kept[length++] = bytes[at]!
  }
  return kept.subarray(0, length)
}

/** Any other line continues the text before, whose line breaks should have been escaped. */
export const isContentLine = (line: string): boolean => /^[\w.-]{1,64}[;:]/.test(line)
