/**
 * Says where and why a text is not JSON, in the words and positions of CPython's decoder, which published clients
 * know. The scanner reads only what has been refused already, so it need not be fast.
 */

export interface JsonFault {
  /** In code points from 0. */
  readonly position: number
  readonly reason: string
}

/** How deep arrays and objects may be nested. */
const MAX_DEPTH = 200

/** How deep `data` may be, which stands in an item, of the items, of a body. */
export const MAX_DATA_DEPTH = MAX_DEPTH - 3

class Fault extends Error {
  readonly index: number
  constructor(reason: string, index: number) {
    super(reason)
    this.index = index
  }
}

// Any of these runs may be as long as a body. With `+` instead of `*` the engine may keep a way back for every character.
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9][0-9]*)?(?:[eE][+-]?[0-9][0-9]*)?/y
const BLANKS = /[ \t\n\r]*/y
const PLAIN = /[^"\\\u0000-\u001f]*/y
const HEX = /^[0-9a-fA-F]{4}$/

class Scanner {
  readonly text: string
  depth = 0

  constructor(text: string) {
    this.text = text
  }

  skip(pattern: RegExp, index: number): number {
    pattern.lastIndex = index
    return pattern.test(this.text) ? pattern.lastIndex : index
  }

  document(): void {
    const end = this.skip(BLANKS, this.value(this.skip(BLANKS, 0)))
    if (end < this.text.length) throw new Fault("Extra data", end)
  }

  /** Each method reads what begins at an index and gives the index after it. */
  value(index: number): number {
    const { text } = this
    switch (text[index]) {
      case "\"":
        return this.string(index)
      case "{":
        return this.nested(index, () => this.object(index + 1))
      case "[":
        return this.nested(index, () => this.array(index + 1))
    }
    for (const word of ["null", "true", "false"]) {
      if (text.startsWith(word, index)) return index + word.length
    }
    const end = this.skip(NUMBER, index)
    if (end === index) throw new Fault("Expecting value", index)
    return end
  }

  nested(index: number, read: () => number): number {
    if (this.depth === MAX_DEPTH) throw new Fault("Recursion limit exceeded", index)
    this.depth++
    const end = read()
    this.depth--
    return end
  }

  object(start: number): number {
    const { text } = this
    let index = this.skip(BLANKS, start)
    if (text[index] === "}") return index + 1
    while (true) {
      if (text[index] !== "\"") throw new Fault("Expecting property name enclosed in double quotes", index)
      index = this.skip(BLANKS, this.string(index))
      if (text[index] !== ":") throw new Fault("Expecting ':' delimiter", index)
      index = this.skip(BLANKS, this.value(this.skip(BLANKS, index + 1)))
      if (text[index] === "}") return index + 1
      if (text[index] !== ",") throw new Fault("Expecting ',' delimiter", index)
      index = this.skip(BLANKS, index + 1)
    }
  }

  array(start: number): number {
    const { text } = this
    let index = this.skip(BLANKS, start)
    if (text[index] === "]") return index + 1
    while (true) {
      index = this.skip(BLANKS, this.value(index))
      if (text[index] === "]") return index + 1
      if (text[index] !== ",") throw new Fault("Expecting ',' delimiter", index)
      index = this.skip(BLANKS, index + 1)
    }
  }

  string(start: number): number {
    const { text } = this
    let index = start + 1
    while (true) {
      index = this.skip(PLAIN, index)
      const character = text[index]
      if (character === "\"") return index + 1
      if (character === undefined) throw new Fault("Unterminated string starting at", start)
      if (character !== "\\") throw new Fault("Invalid control character at", index)
      const escaped = text[index + 1]
      if (escaped === undefined) throw new Fault("Unterminated string starting at", start)
      if (escaped === "u") {
        if (!HEX.test(text.slice(index + 2, index + 6))) throw new Fault("Invalid \\uXXXX escape", index + 1)
        index += 6
      } else if ("\"\\/bfnrt".includes(escaped)) {
        index += 2
      } else {
        throw new Fault("Invalid \\escape", index)
      }
    }
  }
}

export const countCodePoints = (text: string): number => {
  let count = text.length
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const before = text.charCodeAt(index - 1)
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count--
  }
  return count
}

/** The first fault of a text that is not JSON, or that is nested too deep. */
export const jsonFault = (text: string): JsonFault => {
  try {
    new Scanner(text).document()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { position: countCodePoints(text.slice(0, error.index)), reason: error.message }
  }
  return { position: 0, reason: "Expecting value" }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The index of the quote that ends a string. */
const endOfString = (text: string, start: number): number => {
  let end = start
  while (true) {
    end = text.indexOf("\"", end + 1)
    if (end === -1) return text.length
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((end - before) % 2 === 0) return end
  }
}

/** Whether brackets are nested deeper than allowed. Asked before parsing: deep nesting is what a parser is slow at. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return false
}
