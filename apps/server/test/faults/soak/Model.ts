/** What a workspace must contain after the operations so far. */
import { COMMON, daysAgo, type Stored } from "./items.ts"
import type { Filter, Narrowing } from "./operations.ts"

/** The connector and the external id. */
type Name = string

export const nameOf = ({ connector, external_id }: Pick<Stored, "connector" | "external_id">): Name =>
  `${connector} ${external_id}`

/** What a write makes of some documents. Undefined: absent. */
export type Change = ReadonlyMap<Name, Stored | undefined>

export interface Key {
  readonly key_id: string
  readonly secret: string
  readonly isReader: boolean
  readonly tokens: Array<string>
}

interface Range {
  readonly from: number
  readonly to: number
}

const overlaps = ({ from, to }: Range, document: Stored): boolean =>
  document.from < to && (document.to > from || document.from >= from)

const between = ({ from, to }: { readonly from?: number; readonly to?: number }): Range => ({
  from: from === undefined ? -Infinity : daysAgo(from),
  to: to === undefined ? Infinity : daysAgo(to)
})

const hasWords = ({ external_id, title }: Stored, q: string): boolean =>
  q.toLowerCase().split(" ").every((word) => `${title} ${external_id}`.toLowerCase().includes(word))

/** The versions of deleted and replaced documents that are kept for questions about them. */
const FORMER = 200

export class Model {
  readonly #documents = new Map<Name, Stored>()
  readonly #former: Array<Stored> = []
  readonly documentIds = new Map<Name, string>()
  /** Of the settings: the default one at first. */
  range: Range = { from: daysAgo(365), to: daysAgo(-365) }
  readonly keys: Array<Key> = []
  readonly revoked: Array<Key> = []
  /** Asynchronous questions, oldest first. */
  readonly jobs: Array<string> = []

  get(name: Name): Stored | undefined {
    return this.#documents.get(name)
  }

  all(): ReadonlyArray<Stored> {
    return [...this.#documents.values()]
  }

  former(): ReadonlyArray<Stored> {
    return this.#former
  }

  apply(change: Change): void {
    for (const [name, next] of change) {
      const previous = this.#documents.get(name)
      if (previous !== undefined && previous !== next) this.#former.push(previous)
      if (next === undefined) {
        this.#documents.delete(name)
        this.documentIds.delete(name)
      } else this.#documents.set(name, next)
    }
    this.#former.splice(0, this.#former.length - FORMER)
  }

  /** What deletes the documents. */
  without(documents: ReadonlyArray<Stored>): Change {
    return new Map(documents.map((document) => [nameOf(document), undefined]))
  }

  isInContext(document: Stored): boolean {
    return overlaps(this.range, document)
  }

  /** Of a list of documents. */
  matches(document: Stored, { connector, in_context, kind, q, source, ...range }: Filter): boolean {
    return (source === undefined || source === "custom" || source === `custom:${document.connector}`) &&
      (kind === undefined || kind === document.kind) &&
      (connector === undefined || connector === document.connector) &&
      (in_context === undefined || in_context === this.isInContext(document)) &&
      (q === undefined || hasWords(document, q)) &&
      overlaps(between(range), document)
  }

  /** To a search, a question, or a token. */
  isShown(document: Stored, { sources, team, ...range }: Narrowing): boolean {
    return (sources?.some((source) => source === document.kind || source === `custom:${document.connector}`) ?? true) &&
      (team === undefined || document.metadata["team"] === team) &&
      overlaps(between(range), document)
  }

  /** The documents with a word. */
  having(word: string): ReadonlyArray<Stored> {
    return this.all().filter((document) => word === COMMON || document.word === word)
  }
}
