/** Months and weekdays by themselves, and words such as "today", in several languages: each with what it means. */

/** They are something else as well: "hier" is here in German, "mañana" the morning, "среди" among. */
const AMBIGUOUS = new Set(["hier", "mañana", "morgen", "amanhã", "leden", "среди"])

/** Distinguished from other words by a capital. */
const CAPITALISED = new Set(["may", "march"])

const EAST_ASIAN = ["ja", "zh", "ko"]

const meaningsOf = (locale: string): ReadonlyArray<readonly [word: string, meaning: string]> => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" })
  const [month, weekday] = [format({ month: "long" }), format({ weekday: "long" })]
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
  return [
    ...Array.from({ length: 12 }, (_, at) => [month.format(Date.UTC(2024, at, 15)), `month ${at + 1}`] as const),
    ...Array.from({ length: 7 }, (_, at) => [weekday.format(Date.UTC(2024, 0, at + 1)), `weekday ${at}`] as const),
    ...[-1, 0, 1].map((days) => [relative.format(days, "day"), `day ${days}`] as const)
  ]
}

/** Of English, with a capital: they are other words, too, so that they prove a weekday and need no proof. */
const SHORT_WEEKDAYS = new Map(
  "Mon Tue Wed Thu Fri Sat Sun".split(" ").map((name, at) => [name, `weekday ${at}`])
)

const isEastAsian = (word: string): boolean => !/^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word)

/** The shortest form of a noun that has cases. */
const stem = (word: string): string => /^\p{Script=Cyrillic}/u.test(word) ? word.replace(/[аяьй]$/u, "") : word

export const makeCalendarWords = (locales: ReadonlyArray<string>) => {
  const meanings = new Map<string, ReadonlySet<string>>()
  for (const [name, meaning] of [...locales, ...EAST_ASIAN].flatMap(meaningsOf)) {
    const word = name.toLowerCase()
    if (!/^\p{L}{2,}$/u.test(word) || AMBIGUOUS.has(word)) continue
    for (const form of [word, stem(word)]) meanings.set(form, new Set([...meanings.get(form) ?? [], meaning]))
  }
  const token = new RegExp(
    [
      ...[...meanings.keys()].filter(isEastAsian).sort((one, other) => other.length - one.length),
      "[\\p{Script=Latin}\\p{Script=Cyrillic}]+"
    ].join("|"),
    "gu"
  )

  /** With the ending of a plural or a case. */
  const meaningOf = (written: string): ReadonlySet<string> | undefined => {
    const word = written.toLowerCase()
    if (AMBIGUOUS.has(word) || (CAPITALISED.has(word) && word === written)) return undefined
    const ending = /^\p{Script=Cyrillic}{5}/u.test(word) ? 2 : 0
    const forms = [word, word.replace(/s$/, ""), ...Array.from({ length: ending }, (_, at) => word.slice(0, -1 - at))]
    return forms.map((form) => meanings.get(form)).find((meaning) => meaning !== undefined)
  }

  return {
    meaningsIn: (text: string): ReadonlyArray<string> =>
      (text.match(token) ?? []).flatMap((word) => {
        const weekday = SHORT_WEEKDAYS.get(word)
        return [...meaningOf(word) ?? [], ...(weekday === undefined ? [] : [weekday])]
      }),
    /** The text with each of these words as `replace` gives it. */
    replaced: (text: string, replace: (word: string, meanings: ReadonlySet<string>) => string): string =>
      text.replace(token, (word) => {
        const meaning = meaningOf(word)
        return meaning === undefined ? word : replace(word, meaning)
      })
  }
}
