/** The words beside a number that change what it says: its unit, and words such as "at least", "before" or "per day". */
import { halfOfDay } from "./timesOfDay.ts"

/** What `marksOf` found; null if it is not known. */
export type Marks = ReadonlyArray<string | null>

/** Each line is one unit in several languages; "m", "g" and "Mi" are units of time or memory as well. */
const UNITS = new Map(
  `% percent prozent процент процента процентов パーセント
  € eur euro euros евро ユーロ
  $ usd dollar dollars dólares доллар доллара долларов ドル
  ¥ jpy yen 円
  £ gbp pounds
  chf franken
  cny rmb yuan 元
  pln zł
  sek
  nok
  dkk
  czk
  inr ₹
  cad
  aud
  ₽ rub рубль рубля рублей
  ms millisecond milliseconds millisekunden
  s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунда секунды секунд 秒
  min mins minute minutes minuten minuto minutos минута минуты минут 分
  h hour hours stunde stunden heure heures hora horas час часа часов 時間 小时
  day days tag tage tagen jour jours día días день дня дней 日 天
  week weeks woche wochen semaine semaines semana semanas неделя недели недель 週間 周
  month months monat monate monaten mois mes meses месяц месяца месяцев か月 ヶ月
  year years jahr jahre jahren ans año años год года лет 年
  mm millimetre millimetres millimeter millimeters
  cm centimetre centimetres centimeter centimeters zentimeter
  metre metres meter meters mètre mètres metro metros метр метра метров
  km kilometre kilometres kilometer kilometers kilomètre kilomètres kilómetros км
  mile miles meile meilen
  gram grams gramm gramme grammes
  kg kilo kilos kilogram kilograms kilogramm кг
  lb lbs
  ml millilitre millilitres milliliter
  l litre litres liter liters литр литра литров
  kb kib kilobyte kilobytes
  mb mib megabyte megabytes
  gb gib gigabyte gigabytes
  tb tib terabyte terabytes
  °c celsius
  °f fahrenheit`.split("\n").flatMap((line) => {
    const [unit = "", ...others] = line.trim().split(" ")
    return [unit, ...others].map((word) => [word, unit] as const)
  })
)

const SIGN = /[€$¥£₽₹](?= ?$)|(?<!\p{L})[A-Z]{3}(?= $)/u
const AFTER = /^[ \u00A0\u202F-]?(°?\p{L}+|[%€$¥£₽])/iu
/** Where no space ends it. */
const UNSPACED = /^ ?(?:[かヶ]月|時間|小时|週間|パーセント|ユーロ|ドル|[円秒分日天周年])/u

const unitOf = (before: string, after: string): string | null => {
  const name = SIGN.exec(before)?.[0] ?? UNSPACED.exec(after)?.[0].trim() ?? AFTER.exec(after)?.[1] ?? ""
  return UNITS.get(name.toLowerCase()) ?? null
}

const DIRECTIONS: ReadonlyArray<readonly [direction: string, before: RegExp]> = [
  [
    "up",
    /(?<!\p{L})(?:at least|(?:more|older|larger|greater|longer|higher) than|over|above|minimum(?: of)?|mindestens|mehr als|über|au moins|plus de|al menos|más de|не менее|более)\s$/iu
  ],
  [
    "down",
    /(?<!\p{L})(?:at most|(?:fewer|less|younger|smaller|shorter|lower) than|under|below|maximum(?: of)?|up to|höchstens|weniger als|unter|maximal|au plus|moins de|como máximo|menos de|не более|менее)\s$/iu
  ]
]

/** A month or an article may be in between. */
const ORDERS: ReadonlyArray<readonly [order: string, before: RegExp]> = [
  ["after", /(?<!\p{L})(?:after|since|nach|seit|après|depuis|después de|desde|после)\s(?:\p{L}+\.?\s)?$/iu],
  ["before", /(?<!\p{L})(?:before|until|till|vor|bis|avant|jusqu'à|antes de|hasta|до)\s(?:\p{L}+\.?\s)?$/iu]
]

/** In "no more than", "nicht weniger als", "pas plus de". */
const NEGATED = /(?<!\p{L})(?:not?|nicht|pas|não|non)\s\p{L}+(?:\s\p{L}+)?\s$/iu

const boundOf = (before: string): string | null => {
  const direction = DIRECTIONS.find(([, pattern]) => pattern.test(before))?.[0] ?? null
  if (direction === null || !NEGATED.test(before)) return direction
  return direction === "up" ? "down" : "up"
}

const orderOf = (before: string): string | null => ORDERS.find(([, pattern]) => pattern.test(before))?.[0] ?? null

const PER = /(?:\/ ?|(?<!\p{L})(?:per|an?|pro|je|par|por|al|à) )(\p{L}+)/gu

/** In "$5 per user per month", the month. */
const rateOf = (after: string): string | null => {
  const near = /^[^.,;:|\n\d]{0,30}/.exec(after)?.[0] ?? ""
  return [...near.matchAll(PER)].map(([, unit = ""]) => UNITS.get(unit.toLowerCase())).find((unit) =>
    unit !== undefined
  ) ??
    null
}

/** Of the number `digits` between two texts. */
export const marksOf = (before: string, digits: string, after: string): Marks => [
  unitOf(before, after),
  halfOfDay(before, digits, after),
  boundOf(before),
  orderOf(before),
  rateOf(after)
]

/** Units are compared with their numbers. */
export const isUnit = (word: string): boolean => UNITS.has(word.toLowerCase()) || /^[ap]m$/i.test(word)

/** Whether every one of `others` is different in the same respect; a mark that is not known agrees with any. */
export const contradicts = (marks: Marks, others: ReadonlyArray<Marks>): boolean =>
  others.length === 0 ||
  marks.some((mark, at) => mark !== null && others.every((other) => ![null, mark].includes(other[at] ?? null)))
