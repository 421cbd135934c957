/** Finds the JSON objects in a streamed reply, whatever surrounds them: prose, code fences, thoughts. */

const THOUGHTS = ["<think>", "<thinking>"]

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

/** Each character is read once, whatever the pieces: a server may send them one by one. */
export class JsonObjects {
  /** The text of each open object, which is part of those around it only once it is closed. */
  #open: Array<string> = []
  #isString = false
  #isEscaped = false
  /** A brace and white space: the next character says whether it opens an object. */
  #brace = ""
  /** The part of a tag that has arrived: of a thought's beginning, or of the end of `#thought`. */
  #tag = ""
  #thought: string | null = null

  /** The objects that this piece completes, inner ones first. */
  push(piece: string): ReadonlyArray<unknown> {
    const completed: Array<unknown> = []
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!
      if (this.#thought !== null) this.#think(char, this.#thought)
      else if (this.#isString) this.#readString(char)
      else completed.push(...this.#read(char))
    }
    return completed
  }

  #append(text: string): void {
    const last = this.#open.length - 1
    if (last >= 0) this.#open[last] += text
  }

  #think(char: string, thought: string): void {
    this.#tag += char
    const end = thought.replace("<", "</")
    if (this.#tag === end) [this.#thought, this.#tag] = [null, ""]
    else if (!end.startsWith(this.#tag)) this.#tag = char === "<" ? char : ""
  }

  #readString(char: string): void {
    this.#append(char)
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === "\\") this.#isEscaped = true
    else if (char === "\"") this.#isString = false
  }

  #read(char: string): ReadonlyArray<unknown> {
    if (this.#brace !== "") {
      if (/\s/.test(char)) {
        this.#brace += char
        return []
      }
      this.#openObject(char)
    }
    if (char === "{") {
      this.#brace = char
      return []
    }
    this.#append(char)
    if (this.#open.length === 0) this.#readProse(char)
    else if (char === "\"") this.#isString = true
    else if (char === "}") {
      const json = this.#open.pop()!
      this.#append(json)
      return parse(json)
    }
    return []
  }

  /** A brace that no key follows opens no JSON object, and its quotation marks are prose. */
  #openObject(next: string): void {
    if (next === "\"" || next === "}") {
      if (this.#open.length === DEEPEST) this.#open = []
      this.#open.push(this.#brace)
    } else this.#append(this.#brace)
    this.#brace = ""
  }

  #readProse(char: string): void {
    this.#tag += char
    if (!THOUGHTS.some((tag) => tag.startsWith(this.#tag))) this.#tag = char === "<" ? char : ""
    if (!THOUGHTS.includes(this.#tag)) return
    this.#thought = this.#tag
    this.#tag = ""
  }
}
