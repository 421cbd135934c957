/** Exact names of the query that few documents contain. */
import { type ExactName, holdersOf } from "../../text/names/exactNames.ts"
import { plainName } from "../../text/names/identifiers.ts"
import type { Query } from "../query/Query.ts"
import type { Reading } from "../query/readings.ts"
import type { HitFeatures } from "./HitFeatures.ts"
import { RESCORE_WINDOW } from "./rescoreWindow.ts"
import { RARE, type Scoring } from "../scoring.ts"
import type { Hit } from "../TopHits.ts"

/** The hits whose texts are needed to know which exact names they contain. */
export const hitsToRead = ({ names }: Query, hits: ReadonlyArray<HitFeatures<Hit>>): ReadonlyArray<Hit> =>
  names.length === 0
    ? []
    : hits.toSorted((one, other) => Number(other.mayHaveName) - Number(one.mayHaveName)).slice(0, RESCORE_WINDOW)
      .map(({ hit }) => hit)

/** Those that a hit contains. */
interface RareNames {
  /** How many are names by their form; what the document itself is called counts twice. */
  readonly certain: number
  /** The best of the others, as a share of the query's weight. */
  readonly share: number
}

export const NO_NAMES: RareNames = { certain: 0, share: 0 }

/** `OPS-42`, `docs/setup.md`, `OPS-42: The roof leaks` */
const isLineOf = (line: string, name: string): boolean =>
  line === name || line.endsWith(`/${name}`) || (line.startsWith(name) && /[\s:]/.test(line.charAt(name.length)))

/** Whether a document is called so, instead of only mentioning the name. */
const isCalled = ([title = ""]: ReadonlyArray<string>, { plain }: ExactName): boolean =>
  plainName(title).split("\n").some((line) => isLineOf(line, plain))

export const rareNamesIn = (
  { names, readings }: Query,
  { idf }: Scoring,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyMap<Hit, RareNames> => {
  const weigh = (termsOf: (reading: Reading) => ReadonlyArray<string>): number =>
    termsOf(readings[0]!).reduce(
      (sum, _, at) => sum + Math.max(...readings.map((reading) => idf.get(termsOf(reading)[at]!) ?? 0)),
      0
    )
  const total = weigh(({ terms }) => terms) || 1
  const texts = hits.map(textsOf)
  const isRare = (holders: Iterable<number>) => new Set([...holders].map((at) => hits[at]!.documentId)).size <= RARE
  const found = new Map<Hit, RareNames>()
  holdersOf(names, texts).forEach((holders, index) => {
    const name = names[index]!
    const isCertain = name.certainty === "form"
    const own = Math.min(1, weigh((reading) => reading.names[index]!) / total)
    const add = (all: Iterable<number>) => {
      if (!isRare(all)) return
      for (const at of all) {
        const { certain, share } = found.get(hits[at]!) ?? NO_NAMES
        found.set(hits[at]!, isCertain ? { certain: certain + 1, share } : { certain, share: Math.max(share, own) })
      }
    }
    const called = isCertain ? hits.flatMap((_, at) => isCalled(texts[at]!, name) ? [at] : []) : []
    // A file is called by the end of its path, which does not contain the name by itself.
    add(new Set([...holders, ...called]))
    // However many others mention it.
    add(called)
  })
  return found
}
