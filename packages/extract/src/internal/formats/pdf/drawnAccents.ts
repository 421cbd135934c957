/** Accents that are drawn over a letter, as old fonts have them: `¨` and `o` become `ö`. */

const COMBINING: ReadonlyMap<string, string> = new Map([
  ["`", "\u0300"],
  ["´", "\u0301"],
  ["ˆ", "\u0302"],
  ["^", "\u0302"],
  ["˜", "\u0303"],
  ["~", "\u0303"],
  ["¯", "\u0304"],
  ["˘", "\u0306"],
  ["˙", "\u0307"],
  ["¨", "\u0308"],
  ["˚", "\u030a"],
  ["˝", "\u030b"],
  ["ˇ", "\u030c"],
  ["¸", "\u0327"]
])

/** Letters without a dot, which makes room for the accent. */
const DOTLESS: ReadonlyMap<string, string> = new Map([["ı", "i"], ["ȷ", "j"]])

/** A text with an accent over its first letter. Null if the two are no letter. */
export const withAccent = (accent: string, text: string): string | null => {
  const mark = COMBINING.get(accent)
  const [letter = ""] = text
  const accented = `${DOTLESS.get(letter) ?? letter}${mark ?? ""}`.normalize("NFC")
  return mark === undefined || letter === "" || accented.length !== 1 ? null : accented + text.slice(letter.length)
}
