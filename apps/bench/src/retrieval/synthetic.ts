/**
 * A made-up collection of any size: the same in every run, each document from its number alone, so that a million of
 * chunks need not be kept in memory.
 *
 * Words follow Zipf's law, documents keep to a topic, and fresh names keep the vocabulary growing with the collection.
 */
import { randomFrom, wordNumber } from "../texts.ts"

const FUNCTION_WORDS =
  ("the of and to in a is that for it was on are as with be at this by from or have an not which you were had we " +
    "but can their all has there been more if will would about they what when who").split(" ")

const VOCABULARY = 60_000
const TOPICS = 3_000
const TOPIC_WORDS = 80
/** The percentage of words from the topic; the others are from the whole language. */
const ON_TOPIC = 0.45
const FRESH = 0.004

const words: ReadonlyArray<string> = [
  ...FUNCTION_WORDS,
  ...Array.from({ length: VOCABULARY }, (_, number) => wordNumber(number))
]

/** Words in proportion to their frequency, so that a random index chooses a word by its frequency. */
const byFrequency = (() => {
  const table = new Uint32Array(1 << 18)
  const weights = words.map((_, rank) => 1 / (rank + 2.7) ** 1.05)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let filled = 0
  let share = 0
  weights.forEach((weight, rank) => {
    share += weight / total
    const to = Math.round(share * table.length)
    table.fill(rank, filled, to)
    filled = to
  })
  return table
})()

const anyWord = (random: () => number): number => byFrequency[Math.floor(random() * byFrequency.length)]!

const contentWord = (random: () => number): number => {
  for (;;) {
    const word = anyWord(random)
    if (word >= FUNCTION_WORDS.length + 20) return word
  }
}

const topics = Array.from({ length: TOPICS }, (_, topic) => {
  const random = randomFrom(0x70_0000 + topic * 7_919)
  return Uint32Array.from({ length: TOPIC_WORDS }, () => contentWord(random))
})

const topicOf = (random: () => number): Uint32Array => topics[Math.floor(random() * TOPICS)]!

/** The first words of a topic are the most frequent. */
const topicWord = (topic: Uint32Array, random: () => number): string =>
  words[topic[Math.floor(TOPIC_WORDS * random() ** 2)]!]!

const randomOf = (number: number) => {
  const random = randomFrom(Math.imul(number + 1, 0x9e3779b1) >>> 0)
  random()
  return random
}

const chunkText = (topic: Uint32Array, random: () => number): string => {
  const text = Array.from({ length: 70 + Math.floor(random() * 51) }, (_, at) => {
    const choice = random()
    const word = choice < FRESH
      ? `${wordNumber(Math.floor(random() * 4e6))}-${Math.floor(random() * 1e4)}`
      : choice < ON_TOPIC
      ? topicWord(topic, random)
      : words[anyWord(random)]!
    return at % 13 === 12 ? `${word}.` : word
  })
  return `${text.join(" ")}.`
}

interface SyntheticDocument {
  readonly title: string
  /** Of 95 words each, on average; with the title a hundred. */
  readonly chunks: ReadonlyArray<string>
}

/** One to seven chunks. */
export const syntheticDocument = (number: number): SyntheticDocument => {
  const random = randomOf(number)
  const topic = topicOf(random)
  const title = Array.from({ length: 5 }, () => topicWord(topic, random)).join(" ")
  return { title, chunks: Array.from({ length: 1 + Math.floor(random() * 7) }, () => chunkText(topic, random)) }
}

/** A few words of one topic, or a question about it. */
export const syntheticQuery = (number: number): string => {
  const random = randomOf(number + 0x4000_0000)
  const topic = topicOf(random)
  const named = Array.from({ length: 2 + Math.floor(random() * 4) }, () => topicWord(topic, random))
  if (number % 2 === 0) return named.join(" ")
  const [first, ...others] = named
  return `what was the ${first} of ${others.join(" and the ")} about in ${words[contentWord(random)]!}`
}
