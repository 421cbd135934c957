/**
 * Exact names within a text: ticket keys, file names, error codes, addresses, versions, paths.
 *
 * They are indexed twice: as ordinary words, and whole, as separate terms, so that a query with a name ranks it before
 * similar ones.
 */
import { GROUP_WIDTH, NumberGroupFinder } from "./numberGroups.ts"
import { NAME_MARK } from "./nameMark.ts"
import { isProse } from "./prose.ts"
import { isJoin, mayLead, mayTrail, withSigns } from "./signs.ts"

const MAX_LENGTH = 200

/** A name in its own case: plain hyphens, precomposed accented letters, and no soft hyphens. */
export const casedName = (name: string): string =>
  /^[\x00-\x7f]*$/.test(name)
    ? name
    : name.normalize("NFKC").replaceAll("\u00ad", "").replaceAll(/[\u2010\u2011]/g, "-").replaceAll("\u2019", "'")

/** The normal form of a name, which is in lower case as well. */
export const plainName = (name: string): string => casedName(name).toLowerCase()

export const identifierTerm = (identifier: string): string => NAME_MARK + plainName(identifier)

/** Of a field, of the step of a path, and of text that a script without spaces, or with suffixes, joins to a name. */
const SEPARATORS = [/[=&?#:]+/, /[=&?#:/\\]+/, /[^\x00-\x7f\u2010\u2011]+/u]

const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu

const SIGN = /[^\p{L}\p{M}\p{N}]/u

/** The names within a longer one: what comes after `key=` or before `:42`, and the file of a path. */
const namesWithin = (run: string): ReadonlySet<string> => {
  const parts = SEPARATORS.flatMap((separator) => separator.test(run) ? run.split(separator) : [])
    .map((part) => part.replaceAll(OUTER_SIGNS, ""))
  return new Set(parts.filter((part) => SIGN.test(part) && !isProse(part) && part !== run))
}

/** `1.5`, `10:30`, `$12.50`: tables are full of them. Three numbers and more are a version, a date or an address. */
const AMOUNT = /^[^\p{L}\p{N}]?\p{N}+[^\p{L}\p{N}]\p{N}+[^\p{L}\p{N}]?$/u

const SPACE_CODE = 0x20
const FIRST_LETTER = 65
const FIRST_SMALL = 97

/** Finds identifiers among the words of a text: those that only joining signs keep apart, or that carry a sign. */
export class IdentifierFinder {
  readonly #text: string
  readonly #visit: (identifier: string) => void
  readonly #numberGroups: NumberGroupFinder
  #start = 0
  #end = -1
  #joined = false
  #led = false

  constructor(text: string, visit: (identifier: string) => void) {
    this.#text = text
    this.#visit = visit
    this.#numberGroups = new NumberGroupFinder(text, visit)
  }

  /** Takes every word, in order. */
  readonly word = (start: number, end: number): void => {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (this.#numberGroups.isOpen || first < FIRST_LETTER || (end - start === GROUP_WIDTH && first < FIRST_SMALL)) {
      this.#numberGroups.word(start, end)
    }
    // Nearly always.
    const apart = start - this.#end === 1 && text.charCodeAt(this.#end) === SPACE_CODE
    if (!apart && this.#end !== -1 && this.#joins(start)) {
      this.#joined = true
    } else {
      if (this.#joined || this.#led || (!apart && mayTrail(text, this.#end))) this.#visitFound()
      this.#joined = false
      this.#led = !apart && mayLead(text, start)
      this.#start = start
    }
    this.#end = end
  }

  /** Call it after the last word. */
  finish(): void {
    this.#visitFound()
    this.#numberGroups.finish()
  }

  /** Words that touch belong to a script without spaces, where a name begins again. */
  #joins(start: number): boolean {
    for (let at = this.#end; at < start; at++) {
      if (!isJoin(this.#text.charCodeAt(at))) return false
    }
    return start > this.#end
  }

  #visitFound(): void {
    if (this.#end === -1 || this.#end - this.#start > MAX_LENGTH) return
    const run = this.#text.slice(this.#start, this.#end)
    const signed = withSigns(this.#text, this.#start, this.#end)
    if (isProse(signed) || AMOUNT.test(signed)) return
    if (signed !== run) this.#visit(signed)
    if (!this.#joined) return
    this.#visit(run)
    for (const name of namesWithin(run)) this.#visit(name)
  }
}
