/** Ids as sixteen bytes. */

export const UUID = 16

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** The value of a hexadecimal digit, by the code of its character. */
const valueOf = (code: number): number => code < 0x3a ? code - 0x30 : code - 0x57

/** Throws when it is no UUID. */
export const writeUuid = (id: string, into: Uint8Array, at: number): void => {
  const digits = id.replaceAll("-", "")
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new RangeError("an id is a UUID in lower case")
  for (let byte = 0; byte < UUID; byte++) {
    into[at + byte] = valueOf(digits.charCodeAt(byte * 2)) * 16 + valueOf(digits.charCodeAt(byte * 2 + 1))
  }
}

export const readUuid = (bytes: Uint8Array, at: number): string => {
  let digits = ""
  for (let byte = 0; byte < UUID; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) digits += "-"
    digits += HEX[bytes[at + byte]!]!
  }
  return digits
}

export const compareUuids = (left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): number => {
  for (let byte = 0; byte < UUID; byte++) {
    const difference = left[leftAt + byte]! - right[rightAt + byte]!
    if (difference !== 0) return difference
  }
  return 0
}
