/** UUIDs as sixteen bytes. */

export const UUID = 16

const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0))

/** The value of a hexadecimal digit, by its character code. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => "0123456789abcdef".indexOf(String.fromCharCode(code)))

const HYPHEN = 0x2d

/** Throws if it is not a UUID. */
export const writeUuid = (id: string, into: Uint8Array, at: number): void => {
  let digits = 0
  for (let from = 0; from < id.length; from++) {
    const code = id.charCodeAt(from)
    if (code === HYPHEN) continue
    const value = VALUES[code] ?? -1
    if (value === -1 || digits === 2 * UUID) throw new RangeError("an id is a UUID in lower case")
    const byte = at + (digits >> 1)
    into[byte] = digits % 2 === 0 ? value << 4 : into[byte]! | value
    digits++
  }
  if (digits !== 2 * UUID) throw new RangeError("an id is a UUID in lower case")
}

/** The character codes of a UUID, with the hyphens already in place. */
const codes = Array.from("00000000-0000-0000-0000-000000000000", () => HYPHEN)

/** Built as one flat string: concatenation would keep the pieces alive. */
export const readUuid = (bytes: Uint8Array, at: number): string => {
  for (let byte = 0, into = 0; byte < UUID; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) into++
    codes[into++] = DIGITS[bytes[at + byte]! >>> 4]!
    codes[into++] = DIGITS[bytes[at + byte]! & 15]!
  }
  return String.fromCharCode(...codes)
}

export const compareUuids = (left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): number => {
  for (let byte = 0; byte < UUID; byte++) {
    const difference = left[leftAt + byte]! - right[rightAt + byte]!
    if (difference !== 0) return difference
  }
  return 0
}
