/** Days of the week that stand alone, `on Monday`: whether the last or the next one is meant, where the sentence tells. */
import { type NamedDays, relativeDays, weekdayOf, WEEKDAYS } from "../text/dates.ts"
import { sentences } from "../text/sentences.ts"

const DAY = WEEKDAYS.join("|")

/** A date behind the name says which one it is, better than any tense. */
const ALONE = new RegExp(
  `(?<=\\b(?<preposition>on|from|since|until|till|by|before|after) )(?<name>${DAY})\\b(?!,? (?:\\d|the \\d|\\p{Lu}\\p{L}+ \\d))`,
  "giu"
)

/** A week that is named beside it tells which one is meant. */
const BEFORE_WEEK = new RegExp(`\\b(${DAY}),? (?:of )?$`, "iu")
const BEHIND_WEEK = new RegExp(`^,? (?:on )?(${DAY})\\b`, "iu")

const TO_COME =
  /\b(?:will|shall|going to|is|are|am|may|can|must|should|would|please|let's|plans?|wants?|arrives|comes|starts|begins|ends|leaves|departs|opens|closes|launches|ships|lands|returns|moves|joins)\b|['\u2019](?:ll|re)\b/iu

/** Forms of the past; what ends in `ed` behind an article or a form of `to be` describes, and tells no time. */
const PAST =
  /\b(?:was|were|had|did|went|came|found|sent|saw|left|met|got|took|gave|made|held|said|told|paid|bought|began|broke|lost|won|ran|wrote|built|fell|flew|spoke|chose)\b|(?<!\b(?:an?|the|is|are|be|been|being|our|their|all) )\b\p{Ll}{2,}ed\b/iu

/** -1: the last one; 1: the next one; 0: the sentence does not tell. */
const directionOf = (preposition: string, sentence: string): number => {
  if (preposition === "since") return -1
  const isPast = PAST.test(sentence)
  if (/^(?:from|until|till|by)$/.test(preposition)) return isPast ? 0 : 1
  const isToCome = TO_COME.test(sentence)
  return isPast === isToCome ? 0 : isPast ? -1 : 1
}

const weekdaysIn = (sentence: string, today: number): ReadonlyArray<NamedDays> =>
  [...sentence.matchAll(ALONE)].flatMap((match) => {
    const { name = "", preposition = "" } = match.groups ?? {}
    const direction = directionOf(preposition.toLowerCase(), sentence)
    const ahead = (WEEKDAYS.indexOf(name.toLowerCase()) - weekdayOf(today) + 7) % 7
    // Said on that day itself, it may be this one or another.
    if (direction === 0 || ahead === 0) return []
    const day = today + (direction === 1 ? ahead : ahead - 7)
    return [{ start: match.index, end: match.index + match[0].length, first: day, last: day }]
  })

const WEEK = 7

/** `next week, on Thursday` and `Thursday next week`: one day of that week. */
const withinWeeks = (text: string, named: ReadonlyArray<NamedDays>): ReadonlyArray<NamedDays> =>
  named.map((days) => {
    if (days.last - days.first !== WEEK - 1) return days
    const before = BEFORE_WEEK.exec(text.slice(Math.max(0, days.start - 16), days.start))
    const behind = BEHIND_WEEK.exec(text.slice(days.end, days.end + 20))
    const name = before?.[1] ?? behind?.[1]
    if (name === undefined) return days
    const first = days.first + ((WEEKDAYS.indexOf(name.toLowerCase()) + WEEK - 1) % WEEK)
    return {
      start: days.start - (before?.[0].length ?? 0),
      end: days.end + (before === null ? behind?.[0].length ?? 0 : 0),
      first,
      last: first
    }
  })

/** All days that a text names by how far they lie from its own, in the order in which they stand. */
export const daysIn = (text: string, today: number): ReadonlyArray<NamedDays> => {
  const named = withinWeeks(text, relativeDays(text, today))
  const alone = sentences(text).flatMap(({ end, start }) =>
    weekdaysIn(text.slice(start, end), today).map((day) => ({ ...day, start: start + day.start, end: start + day.end }))
  )
  // What a week beside it has told is not told again.
  const isTold = (day: NamedDays) => named.some(({ end, start }) => start < day.end && end > day.start)
  return [...named, ...named.length === 0 ? alone : alone.filter((day) => !isTold(day))]
    .sort((left, right) => left.start - right.start)
}
