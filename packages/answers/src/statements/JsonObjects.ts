/** Finds the JSON objects in a streamed reply, whatever surrounds them: prose, code fences, thoughts. */

const THOUGHT = /^<(think|thinking)>/

const isPrefixOfThought = (text: string): boolean => "<thinking>".startsWith(text)

/** Models write raw line breaks into strings, which JSON does not allow. */
const escapeControls = (json: string): string =>
  json.replace(
    /"(?:[^"\\]|\\.)*"/gs,
    (string) =>
      string.replace(/[\u0000-\u001F]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

const parse = (json: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(escapeControls(json))]
  } catch {
    // The objects around it or inside it may still be JSON.
    return []
  }
}

/** A reply needs three levels; a limit keeps the cost linear. */
const DEEPEST = 8

export class JsonObjects {
  #text = ""
  #at = 0
  #starts: Array<number> = []
  #isString = false

  /** The objects that this piece completes, inner ones first. */
  push(piece: string): ReadonlyArray<unknown> {
    this.#text += piece
    const completed: Array<unknown> = []
    while (this.#at < this.#text.length) {
      const length = this.#step(completed)
      if (length === null) break
      this.#at += length
    }
    if (this.#starts.length === 0) {
      this.#text = this.#text.slice(this.#at)
      this.#at = 0
    }
    return completed
  }

  /** The number of characters to advance, or null if more text must arrive first. */
  #step(completed: Array<unknown>): number | null {
    const char = this.#text[this.#at]
    if (this.#isString) {
      if (char === "\\") return this.#at + 1 < this.#text.length ? 2 : null
      if (char === "\"") this.#isString = false
      return 1
    }
    const isInside = this.#starts.length > 0
    if (char === "\"") this.#isString = isInside
    else if (char === "{") return this.#open()
    else if (char === "}" && isInside) completed.push(...parse(this.#text.slice(this.#starts.pop(), this.#at + 1)))
    else if (char === "<" && !isInside) return this.#skipThought()
    return 1
  }

  /** A brace that no key follows opens no JSON object, and its quotation marks are prose. */
  #open(): number | null {
    const key = /^\{\s*(.?)/s.exec(this.#text.slice(this.#at, this.#at + 200))?.[1] ?? ""
    if (key === "") return this.#text.length - this.#at < 200 ? null : 1
    if (key === "\"" || key === "}") {
      if (this.#starts.length === DEEPEST) this.#starts = []
      this.#starts.push(this.#at)
    }
    return 1
  }

  #skipThought(): number | null {
    const rest = this.#text.slice(this.#at, this.#at + 10)
    const name = THOUGHT.exec(rest)?.[1]
    if (name === undefined) return isPrefixOfThought(rest) ? null : 1
    const closing = `</${name}>`
    const end = this.#text.indexOf(closing, this.#at)
    return end < 0 ? null : end + closing.length - this.#at
  }
}
