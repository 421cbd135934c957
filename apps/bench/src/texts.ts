/** Texts that nobody wrote: the same in every run, with words as unevenly frequent as in real ones. */

const SYLLABLES = ["ka", "ro", "mi", "ta", "lo", "ne", "su", "vi", "da", "pe", "zu", "fa", "gi", "ho", "be"]

/** A generator of numbers from 0 up to 1; the same seed gives the same numbers. */
export const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The words of a made-up language, the frequent ones first. */
export const wordNumber = (number: number): string => {
  let word = SYLLABLES[number % SYLLABLES.length]!
  for (let rest = Math.floor(number / SYLLABLES.length) + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]!
  }
  return word
}

const VOCABULARY = 30_000

/** Squaring the square of a random number crowds the choices where the frequent words are. */
export const randomWord = (random: () => number): string => wordNumber(Math.floor(VOCABULARY * random() ** 4))

export const randomText = (random: () => number, words: number): string =>
  `${Array.from({ length: words }, () => randomWord(random)).join(" ")}.`
