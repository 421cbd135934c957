/** Phone, account and card numbers, however they are grouped: the groups of each become one identifier. */

/** Of each group but the last of an account or card number. */
export const GROUP_WIDTH = 4

/** The shortest card number, and the longest bank account number. */
const [MIN_LENGTH, MAX_LENGTH] = [13, 34]

/** Of a phone number, with the zeros that replace its plus sign. */
const [MIN_PHONE, MAX_PHONE] = [7, 17]

/** Between two groups there are at most three signs. */
const GAP = /^[\s\-./()\u2010\u2011]{1,3}$/u

const GROUP = /^(?:\d+|[0-9A-Z]{1,4})$/
/** Not the `IBAN` before the number. */
const FIRST_GROUP = /\d/
const IS_NUMBER = /^\d+$/

/** `555-0199`, `415-555-0199`, `1-415-555-0199`: recognised by their groups, which distinguish them from a date. */
const PHONE_GROUPS: ReadonlySet<string> = new Set(["3,4", "3,3,4", "1,3,3,4"])

export class NumberGroupFinder {
  readonly #text: string
  readonly #visit: (number: string) => void
  #groups: Array<string> = []
  /** The character before the first group. */
  #before = ""
  #end = -1

  constructor(text: string, visit: (number: string) => void) {
    this.#text = text
    this.#visit = visit
  }

  /** Whether a number has started. */
  get isOpen(): boolean {
    return this.#groups.length > 0
  }

  /** Takes every word, in order; outside a number, only those that begin with a digit or are as wide as a group. */
  readonly word = (start: number, end: number): void => {
    const group = end - start > MAX_LENGTH ? "" : this.#text.slice(start, end)
    const isGroup = GROUP.test(group)
    if (!isGroup || !GAP.test(this.#text.slice(this.#end, start)) || !this.#isContinuedBy(group)) this.finish()
    if (!isGroup || (!this.isOpen && !FIRST_GROUP.test(group))) return
    if (!this.isOpen) this.#before = this.#text.charAt(start - 1)
    this.#groups.push(group)
    this.#end = end
  }

  /** Call it after the last word. */
  finish(): void {
    if (this.#groups.length > 1) {
      const number = this.#groups.join("")
      if (this.#isPhone(number) || this.#isAccount(number)) this.#visit(number.replace(/^00/, ""))
    }
    this.#groups = []
  }

  /** Letters are only in groups of four, or in the last one after them. */
  #isContinuedBy(group: string): boolean {
    const last = this.#groups.at(-1) ?? ""
    return last.length === GROUP_WIDTH || (IS_NUMBER.test(group) && IS_NUMBER.test(this.#groups[0] ?? ""))
  }

  #isPhone(number: string): boolean {
    return IS_NUMBER.test(number) && number.length >= MIN_PHONE && number.length <= MAX_PHONE &&
      (/[+(]/.test(this.#before) || number.startsWith("0") ||
        PHONE_GROUPS.has(this.#groups.map(({ length }) => length).join()))
  }

  #isAccount(number: string): boolean {
    const digits = number.replaceAll(/[A-Z]/g, "").length
    return number.length >= MIN_LENGTH && number.length <= MAX_LENGTH && digits * 2 >= number.length &&
      this.#groups.slice(0, -1).every(({ length }) => length === GROUP_WIDTH)
  }
}
