/** Words of which one says the contrary of the other: what is closed is not open, and who joins does not leave. */
import { termOf, visitWords } from "../text/words.ts"

const PAIRS = `
absent present | accept reject | accept refuse | allow forbid | allow forbidden | allow prohibit | arrive depart | arrive leave
begin end | buy sell | clean dirty | cold warm | compulsory voluntary | compulsory optional | connect disconnect
empty full | enable disable | exclude include | expensive cheap | first last | free occupied | increase decrease
join leave | lock unlock | lose win | lost found | mandatory optional | open close | open closed | open shut | permit forbid
possible impossible | public private | required optional | start end | start finish | support unsupported | available unavailable`

const CONTRARY = new Map<string, Set<string>>()
for (const pair of PAIRS.trim().split(/[|\n]/u)) {
  const [one = "", other = ""] = pair.trim().split(" ").map(termOf)
  CONTRARY.set(one, new Set([...CONTRARY.get(one) ?? [], other]))
  CONTRARY.set(other, new Set([...CONTRARY.get(other) ?? [], one]))
}

const termsIn = (text: string): ReadonlySet<string> => {
  const terms = new Set<string>()
  visitWords(text, (start, end) => terms.add(termOf(text.slice(start, end))))
  return terms
}

/** The terms that say the contrary of a term. */
export const contrariesOf = (term: string): Iterable<string> => CONTRARY.get(term) ?? []

/** Whether a text says the contrary of a word of the question, and does not hold that word, too. */
export const saysContrary = (asked: { has(term: string): boolean }, text: string): boolean => {
  const held = termsIn(text)
  return [...held].some((term) =>
    [...CONTRARY.get(term) ?? []].some((contrary) => asked.has(contrary) && !held.has(contrary))
  )
}
