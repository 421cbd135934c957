/** The numbers of a text, comparable however they are written, with the words beside them. */
import { contradicts, type Marks, marksOf } from "./quantities.ts"
import { on24Hours } from "./timesOfDay.ts"

interface FoundNumber {
  readonly text: string
  /** The values that it may mean: "1.200" is 1200 in German and 1.2 in English. */
  readonly readings: ReadonlyArray<string>
  readonly marks: Marks
}

/** From two on, because "one" is also a pronoun and an article. Words that mean something else in English are absent. */
const VALUES = new Map(
  `2 two twice zwei zweimal deux dos два две
  3 three drei trois tres три
  4 four vier quatre cuatro четыре
  5 five fünf cinq cinco пять
  6 six sechs seis шесть
  7 seven sieben sept siete семь
  8 eight acht huit ocho восемь
  9 nine neun neuf nueve девять
  10 ten zehn dix diez десять
  11 eleven elf onze одиннадцать
  12 twelve zwölf douze doce двенадцать
  13 thirteen dreizehn treize trece тринадцать
  14 fourteen vierzehn quatorze catorce четырнадцать
  15 fifteen fünfzehn quinze quince пятнадцать
  16 sixteen sechzehn dieciséis шестнадцать
  17 seventeen siebzehn diecisiete семнадцать
  18 eighteen achtzehn dieciocho восемнадцать
  19 nineteen neunzehn diecinueve девятнадцать
  20 twenty zwanzig vingt veinte двадцать
  30 thirty dreißig trente treinta тридцать
  40 forty vierzig quarante cuarenta сорок
  50 fifty fünfzig cinquante cincuenta пятьдесят
  60 sixty sechzig soixante sesenta шестьдесят
  70 seventy siebzig setenta семьдесят
  80 eighty achtzig ochenta восемьдесят
  90 ninety neunzig noventa девяносто
  100 hundred hundert cien сто
  1000 thousand tausend mille mil тысяча`.split("\n").flatMap((line) => {
    const [value, ...words] = line.trim().split(" ")
    return words.map((word) => [word, Number(value)] as const)
  })
)

/** "twenty-five" and "quatre-vingt-dix" are read from left to right, "fünfundzwanzig" is a sum. */
const valueOf = (word: string): number | undefined => {
  const [unit, ten] = word.split(/(?<=\p{L})und(?=\p{L})/u).map((part) => VALUES.get(part))
  if (unit !== undefined && ten !== undefined) return unit + ten
  const values = word.split("-").map((part) => VALUES.get(part))
  return values.reduce((sum, value) =>
    sum === undefined || value === undefined ? undefined : sum < value ? sum * value : sum + value
  )
}

const wordsOf = (from: number, to: number): string =>
  `(?:${[...VALUES].flatMap(([word, value]) => value >= from && value <= to ? [word] : []).join("|")})`

const [TENS, SMALL, LARGE] = [wordsOf(20, 90), wordsOf(2, 99), wordsOf(100, 1_000)]

const SPACED = [
  `(?<=${TENS})\\s(?:(?:y|et|e)\\s)?(?=${wordsOf(2, 19)}(?!\\p{L}))`,
  `(?<=(?<!\\p{L})${SMALL})\\s(?=${LARGE}(?!\\p{L}))`,
  `(?<=(?<!\\p{L})${LARGE})\\s(?:and\\s)?(?=${SMALL}(?!\\p{L}))`
].map((gap) => new RegExp(gap, "giu"))

/** "twenty five" and "two hundred and fifty" as the one word that "twenty-five" is. */
const joined = (text: string): string => SPACED.reduce((rest, gap) => rest.replace(gap, "-"), text)

/** In Chinese and Japanese, before what they count. */
const HAN = String
  .raw`[〇二三四五六七八九十百千万][〇一二三四五六七八九十百千万]*(?=[年月日時个個円元回件台歳歲週枚本冊点點天人])`

const hanValue = (numeral: string): number => {
  let [sum, group, digit] = [0, 0, 0]
  for (const char of numeral) {
    const unit = { 十: 10, 百: 100, 千: 1_000 }[char]
    if (char === "万") [sum, group, digit] = [(sum + group + digit || 1) * 10_000, 0, 0]
    else if (unit === undefined) digit = digit * 10 + "〇一二三四五六七八九".indexOf(char)
    else [group, digit] = [group + (digit || 1) * unit, 0]
  }
  return sum + group + digit
}

const MAGNITUDES: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:billion|bn?$|mrd|milliard|млрд|миллиард)/i, 1e9],
  [/^(?:m$|mio|mln|milli|млн|милли)/i, 1e6],
  [/^(?:k|thousand|tausend|mil|тыс)/i, 1e3],
  [/^[万萬]/, 1e4],
  [/^[億亿]/, 1e8]
]

/** Of the scripts that separate words, and have words for numbers above. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}]`

const NUMBER = new RegExp(
  [
    String.raw`(?<sign>(?<![\p{L}\p{N}.)\]])[-−])?`,
    String.raw`(?<digits>\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,:]\d+)*)`,
    String
      .raw`(?<magnitude>[万萬億亿]|k(?!\p{L})|(?<=[€$¥£] ?[\d.,]{1,12})(?:m|bn?)(?!\p{L})|\s(?:thousand|tausend|mille|mil|milli\p{L}+|millones|billions?|bn|mio|mrd|mln|млн|млрд|тыс\p{L}*|милли\p{L}+)(?!\p{L}))?`,
    String.raw`|(?<han>${HAN})|(?<![\p{L}\p{N}-])(?<word>${LETTER}{2,}(?:-${LETTER}+)*)(?![\p{L}\p{N}])`
  ].join(""),
  "giu"
)

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "")

/** "5.00" is 5, but "3.10" may be a version. */
const decimal = (digits: string): string => {
  const [whole = "", fraction = ""] = digits.split(".")
  return withoutZeros(whole) + (/^0*$/.test(fraction) ? "" : `.${fraction}`)
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
  // A version: "4.2" is "4.2.0".
  if (/^\d+(?:\.\d+)+\.0$/.test(compact)) readings.push(compact, compact.slice(0, -".0".length))
  if (/^\d+(?:[.,]\d+)?$/.test(compact)) readings.push(decimal(compact.replace(",", ".")))
  else if (/^\d+(?:,\d+)+$/.test(compact)) readings.push(...compact.split(",").map(withoutZeros))
  return readings.length > 0 ? readings : [compact]
}

const scaled = (reading: string, magnitude: string): string => {
  const factor = MAGNITUDES.find(([pattern]) => pattern.test(magnitude))?.[1] ?? 1
  return factor === 1 ? reading : String(Math.round(Number(reading) * factor))
}

/** Unicode has the digits of each script in a row, from zero to nine. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** "10²" is not 102, and "1½" not 11/2. */
const plainDigits = (text: string): string =>
  text.replace(/(?<=\d)(?=\p{No})/gu, " ").normalize("NFKC").replace(/(?!\d)\p{Nd}/gu, asciiDigit)

export const numbersIn = (written: string): ReadonlyArray<FoundNumber> => {
  const text = joined(plainDigits(written))
  return [...text.matchAll(NUMBER)].flatMap(({ 0: found, groups = {}, index }) => {
    const { digits, han, magnitude = "", sign, word = "" } = groups
    const value = han === undefined ? valueOf(word.toLowerCase()) : hanValue(han)
    if (digits === undefined && value === undefined) return []
    const [before, after] = [text.slice(Math.max(0, index - 30), index), text.slice(index + found.length)]
    const marks = marksOf(before, digits ?? "", after)
    if (digits === undefined) return [{ text: found.trim(), readings: [String(value)], marks }]
    const readings = readingsOf(digits).map((one) => (sign === undefined ? "" : "-") + scaled(one, magnitude.trim()))
    const time = on24Hours(before, digits, after)
    return [{ text: found.trim(), readings: time === null ? readings : [...readings, ...readingsOf(time)], marks }]
  })
}

/** The numbers of a statement that its proof does not contain, or only of another unit or in another direction. */
export const unprovedNumbers = (statement: string, proof: string): ReadonlyArray<string> => {
  const proved = numbersIn(proof)
  return numbersIn(statement).filter(({ marks, readings }) => {
    const same = proved.filter((one) => one.readings.some((reading) => readings.includes(reading)))
    return contradicts(marks, same.map((one) => one.marks))
  }).map(({ text }) => text)
}
