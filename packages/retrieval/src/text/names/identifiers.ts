/**
 * Exact names within a text: ticket keys, file names, error codes, addresses, versions, paths.
 *
 * They are indexed twice: as ordinary words, and whole, as separate terms, so that a query with a name ranks it before
 * similar ones.
 */
import { GROUP_WIDTH, GroupedCodeFinder } from "./groupedCodes.ts"
import { NAME_MARK } from "./nameMark.ts"
import { isDigit, PhoneNumberFinder } from "./phoneNumbers.ts"
import { isJoin, mayLead, mayTrail, signedWord } from "./signs.ts"

const LONGEST = 200

/** Words joined by hyphens only are a compound, unless there is a digit or everything is in capitals. */
const isCompound = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}\-\u00ad\u2010\u2011]+$/u.test(text) && !/\p{N}/u.test(text) && text !== text.toUpperCase()

/** `and/or`, `end.Next`: words that a sign happens to join; `e.g`, `U.S`: letters that abbreviate words. */
const isProse = (text: string): boolean => /^\p{L}+[/:]\p{L}+$|^\p{L}+\.\p{Lu}\p{Ll}*$|^\p{L}(?:\.\p{L})+$/u.test(text)

/** `1.5`, `10-20`, `1/2`: amounts; three parts and more are a version, a date or an address. */
const isAmount = (text: string): boolean => /^\p{N}+[^\p{N}]\p{N}+$/u.test(text)

/** `/etc/hosts`, `@scope/name`, `#follow-up`, `--dry-run`: a sign in front makes a name of what would be prose. */
const isLed = (text: string, start: number): boolean => {
  const before = text[start - 1]
  return before === "/" || before === "\\" || before === "@" || before === "#" ||
    (before === "-" && text[start - 2] === "-")
}

/** A name in its own case: plain hyphens, precomposed accented letters, and no soft hyphens. */
export const casedName = (name: string): string =>
  /^[\x00-\x7f]*$/.test(name)
    ? name
    : name.normalize("NFKC").replaceAll("\u00ad", "").replaceAll(/[\u2010\u2011]/g, "-").replaceAll("\u2019", "'")

/** The normal form of a name, which is in lower case as well. */
export const plainName = (name: string): string => casedName(name).toLowerCase()

export const identifierTerm = (identifier: string): string => NAME_MARK + plainName(identifier)

const isIdentifier = (text: string): boolean =>
  text.length <= LONGEST && !isCompound(text) && !isProse(text) && !isAmount(text)

/** `ABC-123\uc744`, `\u89c1ABC-123`: text that a script without spaces, or with suffixes, joins to a name. */
const OTHER_SCRIPT = /[^\x00-\x7f\u2010\u2011]+/u

const FIELDS = /[=&?#:]+/
const STEPS = /[/\\]+/
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu

/** A text without any of these contains no identifier. */
const APART = /[=&?#:/\\]|[^\x00-\x7f\u2010\u2011]/u

const NONE: ReadonlySet<string> = new Set()

/** The names within a longer one: what comes after `key=` or before `:42`, and the file of a path. */
const namesWithin = (run: string): ReadonlySet<string> => {
  if (!APART.test(run)) return NONE
  const fields = run.split(FIELDS)
  const parts = new Set(
    [...fields, ...fields.flatMap((field) => field.split(STEPS)), ...run.split(OTHER_SCRIPT)]
      .map((part) => part.replaceAll(OUTER_SIGNS, ""))
      .filter((part) => /[^\p{L}\p{M}\p{N}]/u.test(part) && isIdentifier(part))
  )
  parts.delete(run)
  return parts
}

const SPACE_CODE = 0x20

/** Finds identifiers among the words of a text: those that only joining signs keep apart, or that carry a sign. */
export class IdentifierFinder {
  readonly #text: string
  readonly #visit: (identifier: string) => void
  readonly #groupedCodes: GroupedCodeFinder
  readonly #phoneNumbers: PhoneNumberFinder
  #start = 0
  #end = -1
  #joined = false
  #led = false

  constructor(text: string, visit: (identifier: string) => void) {
    this.#text = text
    this.#visit = visit
    this.#groupedCodes = new GroupedCodeFinder(text, visit)
    this.#phoneNumbers = new PhoneNumberFinder(text, visit)
  }

  /** Takes every word, in order. */
  readonly word = (start: number, end: number): void => {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (this.#groupedCodes.isOpen || (end - start === GROUP_WIDTH && first < 91)) this.#groupedCodes.word(start, end)
    if (this.#phoneNumbers.isOpen || isDigit(first)) this.#phoneNumbers.word(start, end)
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
    this.#groupedCodes.finish()
    this.#phoneNumbers.finish()
  }

  /** Words that touch belong to a script without spaces, where a name begins again. */
  #joins(start: number): boolean {
    for (let at = this.#end; at < start; at++) {
      if (!isJoin(this.#text.charCodeAt(at))) return false
    }
    return start > this.#end
  }

  #visitFound(): void {
    if (this.#end === -1 || this.#end - this.#start > LONGEST) return
    const signed = signedWord(this.#text, this.#start, this.#end)
    if (signed !== undefined) this.#visit(signed)
    if (this.#joined) this.#visitRun()
  }

  #visitRun(): void {
    const run = this.#text.slice(this.#start, this.#end)
    if (!isIdentifier(run) && !(isLed(this.#text, this.#start) && !isAmount(run))) return
    this.#visit(run)
    for (const name of namesWithin(run)) this.#visit(name)
  }
}

/** `10th`, `1990s`: numbers in words. */
const ORDINAL = /^\p{N}+(?:st|nd|rd|th|s)$/iu

/** A single word that mixes letters and digits, such as `0x80070005` or `B52`, or a long number, names something, too. */
export const isCode = (word: string): boolean =>
  /^\p{N}{5,}$/u.test(word) || /^\p{L}\p{N}+$/u.test(word) ||
  (word.length >= 3 && /^[\p{L}\p{M}\p{N}]+$/u.test(word) && /\p{L}/u.test(word) && /\p{N}/u.test(word) &&
    !ORDINAL.test(word))
