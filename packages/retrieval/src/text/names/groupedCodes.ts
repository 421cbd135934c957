/** Account and card numbers in groups of four, such as `DE89 3704 0044 0532 0130 00`: each becomes one identifier. */

export const GROUP_WIDTH = 4

const LEAST = 13

/** The longest bank account number. */
const MOST = 34

const SEPARATOR = /^[ \u00a0\u202f\-\u2010\u2011]$/

const GROUP = /^[0-9A-Z]{1,4}$/

export class GroupedCodeFinder {
  readonly #text: string
  readonly #visit: (code: string) => void
  #end = -1
  #groups: Array<string> = []
  /** Whether a code has started. */
  isOpen = false

  constructor(text: string, visit: (code: string) => void) {
    this.#text = text
    this.#visit = visit
  }

  /** Takes every word, in order; outside a code, only those of four characters. */
  readonly word = (start: number, end: number): void => {
    const text = this.#text
    const group = end - start > GROUP_WIDTH ? "" : text.slice(start, end)
    const goesOn = this.#groups.at(-1)?.length === GROUP_WIDTH && GROUP.test(group) &&
      SEPARATOR.test(text.slice(this.#end, start))
    if (!goesOn) this.finish()
    this.isOpen = goesOn || (group.length === GROUP_WIDTH && GROUP.test(group))
    if (this.isOpen) this.#groups.push(group)
    this.#end = end
  }

  /** Call it after the last word. */
  finish(): void {
    if (this.#groups.length === 0) return
    const code = this.#groups.join("")
    this.#groups = []
    this.isOpen = false
    const digits = code.replaceAll(/[A-Z]/g, "").length
    if (code.length >= LEAST && code.length <= MOST && digits * 2 >= code.length) this.#visit(code)
  }
}
