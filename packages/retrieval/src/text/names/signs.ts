/** Signs that join words to one name, or belong to the adjacent word. */

/** A table by code unit, so that no lookup is out of range. */
const tableOf = (signs: string): Uint8Array => {
  const marked = new Uint8Array(0x10000)
  for (const sign of signs) marked[sign.charCodeAt(0)] = 1
  return marked
}

// Including the hyphens of word processors, and the full-width signs of East Asian text.
const JOINS = tableOf("-_./\\@:#+~=&?\u2010\u2011\uff0d\uff0e\uff0f\uff3f")
const LEADS = tableOf("@#$\u20ac\u00a3\u00a5\u00a7%./\\-_")
const TRAILS = tableOf("#+%_")

export const isJoin = (code: number): boolean => JOINS[code] === 1

/** Whether a sign may precede the word that starts at `start`. */
export const mayLead = (text: string, start: number): boolean => start > 0 && LEADS[text.charCodeAt(start - 1)] === 1

/** Whether a sign may follow the word that ends at `end`. */
export const mayTrail = (text: string, end: number): boolean =>
  end >= 0 && end < text.length && TRAILS[text.charCodeAt(end)] === 1

export const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))

/** A single one of these is a mark of prose, or of Markdown. */
const isDoubled = (sign: string): boolean => sign === "-" || sign === "_"

/** `~/`, `../` */
const PATH = /[~./\\]{1,9}$/

/** The number of signs before a word that belong to it; zero if they join it to something. */
const leadOf = (text: string, start: number): number => {
  if (!mayLead(text, start)) return 0
  const sign = text.charAt(start - 1)
  const path = sign === "/" ? PATH.exec(text.slice(Math.max(0, start - 9), start))![0].length : 1
  const lead = !isDoubled(sign) ? path : text.charAt(start - 2) === sign ? 2 : 0
  const before = start - lead - 1
  return isWordAt(text, before) || isJoin(text.charCodeAt(before)) ? 0 : lead
}

/** The number of signs after a word that belong to it. */
const trailOf = (text: string, end: number): number => {
  if (!mayTrail(text, end)) return 0
  const sign = text.charAt(end)
  const trail = text.charAt(end + 1) === sign ? 2 : isDoubled(sign) ? 0 : 1
  return isWordAt(text, end + trail) ? 0 : trail
}

/** `@ada`, `#release`, `.NET`, `--verbose`, `__init__`, `C++`, `10%`: a word with the signs before and after it. */
export const withSigns = (text: string, start: number, end: number): string =>
  text.slice(start - leadOf(text, start), end + trailOf(text, end))
