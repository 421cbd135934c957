/** Phone numbers, however their digits are grouped: each becomes one identifier of its digits. */
const LEAST_DIGITS = 7

/** The maximum number of digits of a phone number, plus the zeros that replace its plus sign. */
const MOST_DIGITS = 17

/** Between two groups of digits there are no more signs than these. */
const WIDEST_GAP = 3

const GAP = /^[\s\-./()\u2010\u2011]+$/u

/** `555-0199`, `415-555-0199`, `1-415-555-0199`: recognised by their groups, which distinguish them from a date. */
const GROUPS: ReadonlySet<string> = new Set(["3,4", "3,3,4", "1,3,3,4"])

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

const isDigits = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    if (!isDigit(text.charCodeAt(at))) return false
  }
  return true
}

export class PhoneNumberFinder {
  readonly #text: string
  readonly #visit: (digits: string) => void
  #start = 0
  #end = -1
  /** Whether a number has started. */
  isOpen = false
  #digits = ""
  #lengths: Array<number> = []

  constructor(text: string, visit: (digits: string) => void) {
    this.#text = text
    this.#visit = visit
  }

  /** Takes every word, in order; outside a number, only those that begin with a digit. */
  readonly word = (start: number, end: number): void => {
    if (!isDigits(this.#text, start, end)) return this.finish()
    if (this.#digits !== "" && !this.#goesOn(start)) this.finish()
    if (this.#digits === "") this.#start = start
    this.#digits += this.#text.slice(start, end)
    this.#lengths.push(end - start)
    this.#end = end
    this.isOpen = true
  }

  /** Call it after the last word. */
  finish(): void {
    if (this.#digits === "") return
    const { length } = this.#digits
    if (this.#lengths.length > 1 && length >= LEAST_DIGITS && length <= MOST_DIGITS && this.#isPhone()) {
      this.#visit(this.#digits.replace(/^00/, ""))
    }
    this.isOpen = false
    this.#digits = ""
    this.#lengths = []
  }

  #goesOn(start: number): boolean {
    return start - this.#end <= WIDEST_GAP && GAP.test(this.#text.slice(this.#end, start))
  }

  #isPhone(): boolean {
    const before = this.#text[this.#start - 1]
    return before === "+" || before === "(" || this.#digits.startsWith("0") || GROUPS.has(this.#lengths.join(","))
  }
}
