/** Signs that join words to one name, or belong to the adjacent word. */

/** A table by code unit, so that no lookup is out of range. */
const tableOf = (signs: string): Uint8Array => {
  const marked = new Uint8Array(0x10000)
  for (const sign of signs) marked[sign.charCodeAt(0)] = 1
  return marked
}

// Including the hyphens of word processors, and the full-width signs of East Asian text.
const JOINS = tableOf("-_./\\@:#+~=&?\u2010\u2011\uff0d\uff0e\uff0f\uff3f")

export const isJoin = (code: number): boolean => JOINS[code] === 1

const isWordAt = (text: string, at: number): boolean => at >= 0 && /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))

const HASH = 0x23
const PLUS = 0x2b

/** The longest name of a language that ends in a sign, such as `C++` or `F#`. */
const LANGUAGE = 3

const LEADS: ReadonlySet<string> = new Set(["@", "#", "$", "."])
const DOUBLE_LEADS: ReadonlySet<string> = new Set(["--", "__"])

const MAY_LEAD = tableOf("@#$.-_")
const MAY_TRAIL = tableOf("#+_")

/** Whether a sign may precede the word that starts at `start`. */
export const mayLead = (text: string, start: number): boolean => start > 0 && MAY_LEAD[text.charCodeAt(start - 1)] === 1

/** Whether a sign may follow the word that ends at `end`. */
export const mayTrail = (text: string, end: number): boolean =>
  end >= 0 && end < text.length && MAY_TRAIL[text.charCodeAt(end)] === 1

/**
 * The number of signs before a word that belong to it; zero if they join it to something, or if a number follows a dot.
 */
const leadOf = (text: string, start: number): number => {
  const code = text.charCodeAt(start - 1)
  if (Number.isNaN(code) || code > 0x5f) return 0
  const lead = LEADS.has(text[start - 1]!) ? 1 : DOUBLE_LEADS.has(text.slice(start - 2, start)) ? 2 : 0
  const before = start - lead - 1
  if (lead === 0 || isWordAt(text, before) || isJoin(text.charCodeAt(before))) return 0
  return (text[start - 1] === "." || text[start - 1] === "$") && /\p{N}/u.test(text.charAt(start)) ? 0 : lead
}

const isLanguage = (text: string, start: number, end: number): boolean =>
  end - start <= LANGUAGE && !/\p{N}/u.test(text.charAt(start))

/** The number of signs after a word that belong to it. */
const trailOf = (text: string, start: number, end: number): number => {
  const code = text.charCodeAt(end)
  const trail = code === HASH && isLanguage(text, start, end)
    ? 1
    : (code === PLUS && text.charCodeAt(end + 1) === PLUS && isLanguage(text, start, end)) || text.startsWith("__", end)
    ? 2
    : 0
  return isWordAt(text, end + trail) ? 0 : trail
}

/** `@ada`, `#release`, `.NET`, `--verbose`, `__init__`, `C++`, `C#`: a word with the signs before or after it. */
export const signedWord = (text: string, start: number, end: number): string | undefined => {
  const lead = leadOf(text, start)
  const trail = trailOf(text, start, end)
  return lead + trail === 0 ? undefined : text.slice(start - lead, end + trail)
}
