/** Generated texts: the same in every run, with the word frequencies of real ones. */

const SYLLABLES = ["ka", "ro", "mi", "ta", "lo", "ne", "su", "vi", "da", "pe", "zu", "fa", "gi", "ho", "be"]

/** A random number generator with a seed, from 0 to 1. */
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

/** The fourth power of a random number prefers frequent words. */
export const randomWord = (random: () => number): string => wordNumber(Math.floor(VOCABULARY * random() ** 4))

export const randomText = (random: () => number, words: number): string =>
  `${Array.from({ length: words }, () => randomWord(random)).join(" ")}.`
