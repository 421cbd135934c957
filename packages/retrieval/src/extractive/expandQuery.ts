/** A second, wider query made from what a first one found: the words that its best passages share. */
import { parseQuery, type Query } from "../search/Query.ts"
import { termOf, visitWords } from "../text/words.ts"

const FEEDBACK_PASSAGES = 10

const FEEDBACK_TERMS = 20

/** What the words found weigh together, compared with the words asked for. */
const FEEDBACK_WEIGHT = 0.6

interface Found {
  readonly title: string
  readonly text: string
  readonly score: number
}

const sharesIn = ({ text, title }: Found): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  let words = 0
  const whole = `${title} ${text}`
  visitWords(whole, (start, end) => {
    const term = termOf(whole.slice(start, end))
    words++
    counts.set(term, (counts.get(term) ?? 0) + 1)
  })
  return new Map([...counts].map(([term, count]) => [term, count / words]))
}

/** `passages` come best first. The query itself when there are none. */
export const expandQuery = (query: string, passages: ReadonlyArray<Found>): Query => {
  const asked = parseQuery(query)
  const best = passages.slice(0, FEEDBACK_PASSAGES)
  const sum = best.reduce((total, { score }) => total + score, 0)
  if (sum === 0) return asked
  const weights = new Map<string, number>()
  for (const passage of best) {
    for (const [term, share] of sharesIn(passage)) {
      weights.set(term, (weights.get(term) ?? 0) + (passage.score / sum) * share)
    }
  }
  const telling = [...weights]
    .filter(([term]) => term.length > 1 && parseQuery(term).terms.length > 0 && !asked.weights.has(term))
    .sort(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))
    .slice(0, FEEDBACK_TERMS)
  const found = telling.reduce((total, [, weight]) => total + weight, 0)
  const whole = [...asked.weights.values()].reduce((total, weight) => total + weight, 0)
  return {
    ...asked,
    weights: new Map([
      ...asked.weights,
      ...telling.map(([term, weight]) => [term, FEEDBACK_WEIGHT * whole * weight / found] as const)
    ])
  }
}
