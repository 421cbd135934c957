/** The numbers of a text, comparable however they are written. */

interface FoundNumber {
  readonly text: string
  /** The values that it may mean: "1.200" is 1200 in German and 1.2 in English. */
  readonly readings: ReadonlyArray<string>
}

/** From two on, because "one" is also a pronoun and an article. */
const WORDS = [
  "two three four five six seven eight nine ten eleven twelve",
  "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  "deux trois quatre cinq six sept huit neuf dix onze douze",
  "dos tres cuatro cinco seis siete ocho nueve diez once doce"
]

const VALUES = new Map(
  WORDS.flatMap((list) => list.split(" ").map((word, index) => [word, String(index + 2)] as const))
)

const MAGNITUDES: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:thousand|tausend|mille|mil)$/i, 1e3],
  [/^(?:million|millionen|millions|millones)$/i, 1e6],
  [/^(?:billion|milliarden?|milliards?)$/i, 1e9]
]

const NUMBER =
  /(?<sign>(?<![\p{L}\p{N}.)\]])[-−])?(?<digits>\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*)(?:\s(?<magnitude>thousand|tausend|mille|mil|milli\p{L}+|billion)(?!\p{L}))?|(?<![\p{L}\p{N}])(?<word>\p{L}{2,8})(?![\p{L}\p{N}])/giu

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "")

const decimal = (digits: string): string => {
  const [whole = "", fraction = ""] = digits.split(".")
  const kept = fraction.replace(/0+$/, "")
  return withoutZeros(whole) + (kept === "" ? "" : `.${kept}`)
}

const readingsOf = (digits: string): ReadonlyArray<string> => {
  const compact = digits.replace(/[ \u00A0\u202F'’]/g, "")
  if (compact.includes(":")) {
    const parts = compact.split(":").map(withoutZeros)
    return [parts.join(":"), ...(parts.slice(1).every((part) => part === "0") ? parts.slice(0, 1) : [])]
  }
  const readings: Array<string> = []
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(compact)) readings.push(decimal(compact.replaceAll(",", "")))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(compact)) {
    readings.push(decimal(compact.replaceAll(".", "").replace(",", ".")))
  }
  if (/^\d+(?:[.,]\d+)?$/.test(compact)) readings.push(decimal(compact.replace(",", ".")))
  else if (/^\d+(?:,\d+)+$/.test(compact)) readings.push(...compact.split(",").map(withoutZeros))
  return readings.length > 0 ? readings : [compact]
}

const scaled = (reading: string, magnitude: string): string => {
  const factor = MAGNITUDES.find(([pattern]) => pattern.test(magnitude))?.[1] ?? 1
  return factor === 1 ? reading : String(Math.round(Number(reading) * factor))
}

export const numbersIn = (text: string): ReadonlyArray<FoundNumber> =>
  [...text.normalize("NFKC").matchAll(NUMBER)].flatMap(({ 0: found, groups = {} }) => {
    const { digits, magnitude = "", sign, word } = groups
    if (digits === undefined) {
      const value = VALUES.get((word ?? "").toLowerCase())
      return value === undefined ? [] : [{ text: found, readings: [value] }]
    }
    const readings = readingsOf(digits).map((reading) => (sign === undefined ? "" : "-") + scaled(reading, magnitude))
    return [{ text: found.trim(), readings }]
  })

/** The numbers of a statement that its proof does not contain. */
export const unprovedNumbers = (statement: string, proof: string): ReadonlyArray<string> => {
  const proved = new Set(numbersIn(proof).flatMap(({ readings }) => readings))
  return numbersIn(statement).filter(({ readings }) => !readings.some((reading) => proved.has(reading)))
    .map(({ text }) => text)
}
