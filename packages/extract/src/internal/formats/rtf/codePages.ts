/** The encodings of the fonts of an RTF file, by the number that Windows gives to their character sets. */
import iconv from "iconv-lite"

const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [77, "macintosh"],
  [128, "cp932"],
  [129, "cp949"],
  [134, "cp936"],
  [136, "cp950"],
  [161, "cp1253"],
  [162, "cp1254"],
  [163, "cp1258"],
  [177, "cp1255"],
  [178, "cp1256"],
  [186, "cp1257"],
  [204, "cp1251"],
  [222, "cp874"],
  [238, "cp1250"]
])

const DEFAULT = "cp1252"

export const fontEncoding = (characterSet: number): string | null => CODE_PAGES.get(characterSet) ?? null

/** Of a code page, such as `\ansicpg1252`. */
export const pageEncoding = (page: number): string => iconv.encodingExists(`cp${page}`) ? `cp${page}` : DEFAULT

/** Each character is a byte. */
export const decodedBytes = (bytes: string, encoding: string): string =>
  iconv.decode(Buffer.from(bytes, "latin1"), encoding)
