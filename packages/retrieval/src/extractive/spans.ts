/** The few words of a sentence that answer a question of a kind. */
import { MONTH_NAMES } from "../text/calendarDays.ts"
import { isDateWord } from "../text/dates.ts"
import type { Language } from "./languages.ts"
import type { QuestionKind } from "./questionKind.ts"
import { endsInAbbreviation } from "../text/sentences.ts"
import type { Span } from "../text/Span.ts"
import { STOP_WORDS } from "../text/stopWords.ts"
import { termOf } from "../text/words.ts"

const MONTH = `(?:${MONTH_NAMES.join("|")})(?:\\.(?=\\s\\d))?`
const CLOCK =
  "(?:\\d{1,2}:\\d{2}(?:\\s?[ap]m)?|\\d{1,2}(?:[:.]\\d{2})? Uhr|\\d{1,2} ?h(?: ?\\d{2})?(?!\\w)|\\d{1,2}\\s?[ap]m|noon|midnight)"
const ZONE = "(?:\\s?(?:UTC|GMT|CET|CEST|EST|EDT|PST|PDT))?"
const WEEKDAY =
  "(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Sonnabend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"

const DAY = `(?:\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2})?)?` +
  `|(?:${WEEKDAY},? )?(?:\\d{1,2}(?:st|nd|rd|th|er|\\.)?(?: of| de)? ${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?)(?!\\w)(?:,? \\d{4})?(?:,? (?:at )?${CLOCK}${ZONE})?` +
  `|${CLOCK}${ZONE}|${MONTH} \\d{4}|Q[1-4](?: \\d{4})?|${WEEKDAY}s?\\b(?: (?:at )?${CLOCK}${ZONE})?)`

/** With `from`, `before` and the like, and the other end of a stretch of time. */
const WHEN = new RegExp(
  `\\b(?:weekdays )?(?:(?:from|since|until|till|by|before|after|between) )?${DAY}(?: ?(?:to|until|till|through|and|\u2013|-) ?${DAY})?(?!\\w)` +
    `|\\b(?:in|since|until|by|before|after) (?:(?:19|20)\\d{2}|${MONTH})(?!\\w)` +
    `|\\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|every) (?:week|month|year|quarter|night|morning|evening|${WEEKDAY})|\\w+ (?:days?|weeks?|months?|years?|hours?|minutes?) (?:ago|later|before|after))\\b` +
    `|\\bafter (?:\\w+ ){1,2}(?:days?|weeks?|months?|years?|hours?|minutes?)\\b`,
  "giu"
)

/** What only a question for a moment takes for one: what returns, a part of the day or the year, a year by itself. */
const ROUGHLY = new RegExp(
  `${WHEN.source}|\\b(?:weekdays|weekends|work(?:ing )?days|(?:public |bank )?holidays)\\b` +
    `|\\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|always|never|immediately|at once)\\b` +
    `|\\b(?:every|each) (?!such|single|other|of|one)\\p{L}+|\\b(?:in|during|over) the (?:\\p{L}+ )?(?:morning|afternoon|evening|night|spring|summer|autumn|fall|winter)s?\\b` +
    `|\\bat (?:night|Christmas|Easter)\\b|\\b(?:19|20)\\d{2}\\b`,
  "giu"
)

const NUMBER_WORD =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|a dozen|half|twice|once|none|no|" +
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|huit|neuf|dix|tres|cuatro|cinco|siete|ocho|nueve|diez)"

/** A number with its sign of money and the word that it counts. */
const AMOUNT = new RegExp(
  `[$\u20ac\u00a3\u00a5]\\s?\\d[\\d.,]*\\d?(?:\\s?(?:k|m|bn|million|billion|thousand))?\\b|\\b(?:\\d[\\d.,]*\\d|\\d)(?:\\s?%|(?:\\s(?:million|billion|thousand))?\\s\\p{L}+|\\p{L}{1,3}\\b)?|\\b${NUMBER_WORD}\\s\\p{L}+`,
  "giu"
)

/** A sum of money, or a share. */
const PRICE =
  /[$\u20ac\u00a3\u00a5]\s?\d[\d.,]*\d?(?:\s?(?:k|m|bn|million|billion|thousand))?\b|\b\d(?:[\d.,]*\d)?(?:\s?(?:k|million|billion|thousand))?\s?(?:(?:euros?|dollars?|pounds?|francs?|yen|cents?|crowns?|EUR|USD|GBP|CHF|JPY)\b|[$\u20ac\u00a3\u00a5%])|\bfree of charge\b/giu

const TIMES = new RegExp(`\\b(?:once(?! (?:more|again))|twice|(?:\\d+|${NUMBER_WORD}) times)\\b`, "giu")

const UNIT =
  "(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|Sekunden?|Minuten?|Stunden?|Tagen?|Tage?|Nächten?|Wochen?|Monate?n?|Jahre?n?|secondes?|heures?|jours?|nuits?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|noches?|semanas?|mes(?:es)?|años?)"

const DURATION = new RegExp(
  `\\b(?:(?:every|each|about|up to|at least|within|after) )*(?:\\d[\\d.,]*|an?|${
    NUMBER_WORD.slice(3, -1)
  })(?: \\p{L}+)? ${UNIT}(?!\\p{L})` +
    `|\\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|once|twice|(?:every|each) \\p{L}+)\\b`,
  "giu"
)

/** `to review` is no place, `to Berlin` and `to the office` may be. */
const PREPOSITION = "(?:in|at|on|near|from|into|to(?=\\s+(?:the\\s|our\\s|a\\s|\\p{Lu}|\\d))|under|behind|opposite)"

/** What comes after a preposition without being a place: `in general`, `at last`, `on repairing`. */
const NO_PLACE =
  "(?:(?:addition|advance|case|fact|full|general|order|particular|practice|principle|short|theory|time|turn|all|best|first|last|least|most|once|average|demand|purpose)\\b|\\p{Ll}+ing\\s)"

const SMALL = "(?:in|at|on|near|from|into|to|since|until|by|for|when|once|while|as|and|or|but|where|which|that)"

const WHERE = new RegExp(
  "(?<=^Location: )[^\\n]+" +
    `|\\b${PREPOSITION}\\s+(?:(?:the|our|a)\\s+)?(?!${NO_PLACE})(?:(?!${SMALL}\\s)(?:\\p{L}|\\d)[\\p{L}\\p{N}'\\u2019-]*\\s?){1,5}`,
  "gu"
)

const NAME =
  /(?:(?<![\p{L}\p{N}:])\p{Lu}[\p{L}\p{M}'\u2019-]*|@[\w.-]+(?![\w./-]))(?:\s+(?:van|von|de|der|da|di|la)?\s*\p{Lu}[\p{L}\p{M}'\u2019-]*){0,3}/gu

/** `Lena: I can.`: who speaks of themselves is who it is about. */
const OFFER = /^(\p{Lu}[\p{L}\p{M}'\u2019 -]*): (?:\p{L}+[,!]? )?I(?:['\u2019](?:ll|m|ve|d))?\s/u

/** What else is known while spans are looked for. */
export interface SpanContext {
  /** The question; in small letters, too, and its numbers. */
  readonly asked: string
  readonly lower: string
  readonly numbers: ReadonlySet<string>
  /** The terms that say what is counted; null when nothing is. */
  readonly counted: ReadonlySet<string> | null
  /** Words that stand in small letters somewhere: with a capital they are the beginning of a sentence, and no name. */
  readonly common: ReadonlySet<string>
  /** Of the question; null for English. */
  readonly language: Language | null
}

/** Words that stand for people without naming one, and those that look like names at the beginning of a sentence. */
const NOBODY = /^(?:(?:no|any|every|some)(?:body|one)|(?:who|what|which|when|where)(?:so)?ever|\p{L}+(?:ed|ing))$/u

const isName = (span: string, { common, lower: asked }: SpanContext): boolean =>
  span.split(/\s+/u).some((word) => {
    const lower = word.toLowerCase().replace(/['\u2019]\p{L}{1,2}$/u, "")
    return !STOP_WORDS.has(lower) && !isDateWord(lower) && !NOBODY.test(lower) && !common.has(lower) &&
      !asked.includes(lower)
  })

/** `Guests: 85`. */
const NUMBERED = /^([^:]+): ~?(\d[\d.,]*)/u

/** Of the words after a number so many may describe what it counts. */
const DESCRIBED = 3

/** `2,000 shares were issued` tells no number of issues, but `1 meeting` one of meetings. */
const VERB = /(?:ed|ing)$/iu

/** `six large sacks`: a number says how many there are of what stands behind it, before any sign. */
const counts = (sentence: string, start: number, counted: ReadonlySet<string>, asked: string): boolean => {
  const [labelled, label = "", amount = ""] = NUMBERED.exec(sentence) ?? []
  if (labelled !== undefined && start === labelled.length - amount.length) return counted.has(termOf(label))
  const [number = "", ...words] = sentence.slice(start).split(/\s+/u)
  if (/[:;,.!?)\]]$/u.test(number)) return false
  const sign = words.findIndex((word) => /[^\p{L}\p{M}\p{N}'\u2019-]/u.test(word))
  const described = sign === -1 ? words : words.slice(0, sign + 1)
  return [number, ...described.slice(0, DESCRIBED)].flatMap((word) => word.match(/[\p{L}\p{M}]+/gu) ?? [])
    .some((word) => counted.has(termOf(word)) && !(VERB.test(word) && !asked.includes(word.toLowerCase())))
}

const answers = (
  kind: QuestionKind,
  sentence: string,
  { end, start }: Span,
  context: SpanContext
): boolean => {
  const span = sentence.slice(start, end)
  // Who says something, `Ada: ...`, is not whom it is about.
  if (kind !== "when" && kind !== "duration" && span.search(WHEN) !== -1) return false
  if (kind === "who") return sentence[end] !== ":" && isName(span, context)
  const [number] = /\d[\d.,]*/u.exec(span) ?? []
  // `Room 4 has ...`: a number of the question's own.
  if (kind === "amount" && number !== undefined && context.numbers.has(number)) {
    return false
  }
  if (kind === "amount" && context.counted !== null) return counts(sentence, start, context.counted, context.lower)
  return !context.lower.includes(span.toLowerCase())
}

const PATTERNS: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  when: ROUGHLY,
  amount: AMOUNT,
  price: PRICE,
  times: TIMES,
  duration: DURATION,
  where: WHERE,
  who: NAME
}

/** Without the small words at its end, which begin what comes next. */
const endOf = (sentence: string, start: number, end: number): number => {
  const [word = ""] = /\s\p{L}+\s*$/u.exec(sentence.slice(start, end)) ?? []
  return STOP_WORDS.has(word.trim().toLowerCase()) ? endOf(sentence, start, end - word.length) : end
}

/** What in a sentence may answer, in the order in which it stands. */
export const spansIn = (kind: QuestionKind, sentence: string, context: SpanContext): ReadonlyArray<Span> => {
  const pattern = (kind === "who" || kind === "where" ? context.language?.[kind] : undefined) ?? PATTERNS[kind]
  if (pattern === undefined) return []
  const [, speaker = ""] = kind === "who" ? OFFER.exec(sentence) ?? [] : []
  if (speaker !== "" && isName(speaker, context)) return [{ start: 0, end: speaker.length }]
  return [...sentence.matchAll(pattern)]
    .map((match) => ({ start: match.index, end: match.index + match[0].trimEnd().length }))
    .map(({ end, start }) => ({ start, end: kind === "where" ? endOf(sentence, start, end) : end }))
    // `to Dr` of `to Dr. Haas` leads to a person.
    .filter(({ end, start }) =>
      kind !== "where" || sentence[end] !== "." || !endsInAbbreviation(sentence.slice(start, end))
    )
    .filter((span) => answers(kind, sentence, span, context))
}
