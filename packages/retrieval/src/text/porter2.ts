/** The Porter2 stemmer for English, for words of lower-case ASCII letters and apostrophes. */

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["sky", "sky"],
  ["news", "news"],
  ["howe", "howe"],
  ["atlas", "atlas"],
  ["cosmos", "cosmos"],
  ["bias", "bias"],
  ["andes", "andes"]
])

const MAX_EXCEPTION = Math.max(...[...EXCEPTIONS.keys()].map(({ length }) => length))

const KEPT_AFTER_1A = new Set(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"])

/** An entry for some letters, by code. */
const tableOf = (letters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const letter of letters) table[letter.charCodeAt(0)] = 1
  return table
}

const VOWELS = tableOf("aeiouy")

const isVowel = (word: string, at: number): boolean => VOWELS[word.charCodeAt(at)] === 1

/** The start of the region after the first vowel and consonant. */
const region = (word: string, from: number): number => {
  for (let at = from + 1; at < word.length; at++) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

const PREFIXES = ["gener", "commun", "arsen"]

const firstRegion = (word: string): number => {
  for (const prefix of PREFIXES) if (word.startsWith(prefix)) return prefix.length
  return region(word, 0)
}

const hasVowel = (word: string): boolean => {
  for (let at = 0; at < word.length; at++) if (isVowel(word, at)) return true
  return false
}

/** Nearly all endings of a step are ruled out by the last letter, which costs less than looking for them. */
const endsIn = (word: string, letters: Uint8Array): boolean => letters[word.charCodeAt(word.length - 1)] === 1

const endsShort = (word: string): boolean =>
  /^[aeiouy][^aeiouy]$/.test(word) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word)

const isShort = (word: string, r1: number): boolean => r1 >= word.length && endsShort(word)

const LAST_1A = tableOf("sd")

const step1a = (word: string): string => {
  if (!endsIn(word, LAST_1A)) return word
  if (word.endsWith("sses")) return word.slice(0, -2)
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1)
  if (word.endsWith("us") || word.endsWith("ss") || !word.endsWith("s")) return word
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

const LAST_1B = tableOf("dyg")

const step1b = (word: string, r1: number): string => {
  if (!endsIn(word, LAST_1B)) return word
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed !== null) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word
  const ending = /(?:ed|edly|ing|ingly)$/.exec(word)
  if (ending === null) return word
  const stem = word.slice(0, ending.index)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return isShort(stem, r1) ? `${stem}e` : stem
}

const LAST_1C = tableOf("yY")

const step1c = (word: string): string =>
  endsIn(word, LAST_1C) && word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word

type Replacements = ReadonlyArray<readonly [suffix: string, by: string]>

/** By the code of their last letter. */
const byLastLetter = (replacements: Replacements): ReadonlyArray<Replacements> =>
  Array.from(
    { length: 128 },
    (_, code) => replacements.filter(([suffix]) => suffix.charCodeAt(suffix.length - 1) === code)
  )

const STEP_2 = byLastLetter([
  ["ational", "ate"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ization", "ize"],
  ["ousness", "ous"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["tional", "tion"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ation", "ate"],
  ["entli", "ent"],
  ["fulli", "ful"],
  ["iviti", "ive"],
  ["ousli", "ous"],
  ["abli", "able"],
  ["alli", "al"],
  ["anci", "ance"],
  ["ator", "ate"],
  ["enci", "ence"],
  ["izer", "ize"],
  ["bli", "ble"]
])

const STEP_3 = byLastLetter([
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""]
])

const replaced = (word: string, r1: number, table: typeof STEP_2): string | undefined => {
  for (const [suffix, by] of table[word.charCodeAt(word.length - 1)] ?? []) {
    if (!word.endsWith(suffix)) continue
    const at = word.length - suffix.length
    return at >= r1 ? word.slice(0, at) + by : word
  }
  return undefined
}

const step2 = (word: string, r1: number): string => {
  const other = replaced(word, r1, STEP_2)
  if (other !== undefined) return other
  if (!word.endsWith("i")) return word
  if (word.endsWith("ogi")) {
    return word.length - 3 >= r1 && word.endsWith("logi") ? word.slice(0, -1) : word
  }
  return /[cdeghkmnrt]li$/.test(word) && word.length - 2 >= r1 ? word.slice(0, -2) : word
}

const step3 = (word: string, r1: number, r2: number): string => {
  if (word.endsWith("ative")) return word.length - 5 >= r2 ? word.slice(0, -5) : word
  return replaced(word, r1, STEP_3) ?? word
}

const LAST_4 = tableOf("tecmislrn")

const step4 = (word: string, r2: number): string => {
  if (!endsIn(word, LAST_4)) return word
  const ending = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/.exec(word)
  if (ending !== null) return ending.index >= r2 ? word.slice(0, ending.index) : word
  return /[st]ion$/.test(word) && word.length - 3 >= r2 ? word.slice(0, -3) : word
}

const step5 = (word: string, r1: number, r2: number): string => {
  const at = word.length - 1
  if (word.endsWith("e")) {
    return at >= r2 || (at >= r1 && !endsShort(word.slice(0, -1))) ? word.slice(0, -1) : word
  }
  return word.endsWith("ll") && at >= r2 ? word.slice(0, -1) : word
}

/** A `y` that acts as a consonant is written as `Y` while the word is worked on. */
const markConsonants = (word: string): string =>
  word.includes("y") ? word.replace(/^y/, "Y").replaceAll(/([aeiouy])y/g, "$1Y") : word

export const porter2 = (input: string): string => {
  if (input.length <= 2) return input
  const known = input.length > MAX_EXCEPTION ? undefined : EXCEPTIONS.get(input)
  if (known !== undefined) return known
  let word = input.includes("'")
    ? markConsonants(input.replace(/^'/, "")).replace(/'s?'?$/, "")
    : markConsonants(input)
  const r1 = firstRegion(word)
  const r2 = region(word, r1)
  word = step1a(word)
  if (endsIn(word, LAST_1B) && KEPT_AFTER_1A.has(word)) return word
  word = step1c(step1b(word, r1))
  word = step3(step2(word, r1), r1, r2)
  word = step5(step4(word, r2), r1, r2)
  return word.includes("Y") ? word.replaceAll("Y", "y") : word
}
