/** The numbers before the headings of a Word document, such as `2.1` or `Article IV`. */

export interface Level {
  /** `bullet`, `decimal` and others. */
  format: string
  /** The number of the first item. */
  start: number
  /** What a number is written with: `%1` is that of the outermost level. */
  text: string
}

const ROMAN: ReadonlyArray<readonly [number, string]> = [
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"]
]

/** Higher numbers are written in digits. */
const MAX_WRITTEN = 100

const roman = (number: number): string => {
  let [left, letters] = [number, ""]
  for (const [value, numeral] of ROMAN) {
    for (; left >= value; left -= value) letters += numeral
  }
  return letters
}

/** After Z follows AA, and then BB. */
const letter = (number: number): string => String.fromCharCode(65 + (number - 1) % 26).repeat(Math.ceil(number / 26))

const WRITTEN: ReadonlyMap<string, (number: number) => string> = new Map([
  ["upperLetter", letter],
  ["lowerLetter", (number: number) => letter(number).toLowerCase()],
  ["upperRoman", roman],
  ["lowerRoman", (number: number) => roman(number).toLowerCase()]
])

const written = (number: number, format: string): string => {
  const write = number > 0 && number <= MAX_WRITTEN ? WRITTEN.get(format) : undefined
  return write?.(number) ?? String(number)
}

/** What a number is written with may not inflate a document of many headings. */
const MAX_LENGTH = 50

/** `numberAt` returns the current number of a level. */
export const headingNumber = (
  levels: ReadonlyMap<number, Level>,
  level: number,
  numberAt: (level: number) => number
): string =>
  (levels.get(level)?.text ?? "").slice(0, MAX_LENGTH).replaceAll(
    /%([1-9])/g,
    (_, of: string) => written(numberAt(Number(of) - 1), levels.get(Number(of) - 1)?.format ?? "decimal")
  )
