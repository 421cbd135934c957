/** The rescore window: how many of the best hits are rescored. */
import { identifierTerm } from "../../text/names/identifiers.ts"
import type { Query } from "../query/Query.ts"

/** Of this many, the texts are read, too. */
export const RESCORE_WINDOW = 50

/** More for a query with a phrase or a name of several words: many texts may contain the words, and few all of it. */
const PHRASE_WINDOW = 300

export const rescoreWindowFor = ({ identifiers, names, readings: [reading] }: Query): number => {
  // The index itself finds identifiers.
  const isFound = (name: string) => identifiers.includes(identifierTerm(name))
  const isLong = names.some(({ plain }, at) => reading!.names[at]!.length > 1 && !isFound(plain))
  return isLong || reading!.phrases.length > 0 ? PHRASE_WINDOW : RESCORE_WINDOW
}
