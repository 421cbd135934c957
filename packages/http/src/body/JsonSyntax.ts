/**
 * Finds where and why a text is not JSON, with the messages and positions of CPython's decoder, which existing clients
 * expect. It reads only refused texts, so it need not be fast; it pauses at each `yield`.
 */
import { MAX_DEPTH } from "./JsonSurvey.ts"

export interface JsonFault {
  /** In code points from 0. */
  readonly position: number
  readonly reason: string
}

/** The depth of `data`, inside an item of the items of a body. */
export const MAX_DATA_DEPTH = MAX_DEPTH - 3

class Fault extends Error {
  readonly index: number
  constructor(reason: string, index: number) {
    super(reason)
    this.index = index
  }
}

// This run may be as long as a body. With `+` instead of `*`, the regular expression engine may store a state per
// character.
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9][0-9]*)?(?:[eE][+-]?[0-9][0-9]*)?/y
const HEX = /^[0-9a-fA-F]{4}$/

const BLANKS = " \t\n\r"
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Characters between two pauses. */
const STEPS = 50_000
const CHARACTERS = 1_000_000

type Scan<A> = Generator<void, A>

class Scanner {
  readonly text: string
  depth = 0
  steps = 0

  constructor(text: string) {
    this.text = text
  }

  skip(pattern: RegExp, index: number): number {
    pattern.lastIndex = index
    return pattern.test(this.text) ? pattern.lastIndex : index
  }

  *blanks(index: number): Scan<number> {
    let end = index
    while (end < this.text.length && BLANKS.includes(this.text[end]!)) {
      end++
      if (++this.steps % STEPS === 0) yield
    }
    return end
  }

  /** Unescaped characters of a string. */
  *plain(index: number): Scan<number> {
    let end = index
    for (let code = this.text.charCodeAt(end); code >= 0x20 && code !== QUOTE && code !== BACKSLASH;) {
      code = this.text.charCodeAt(++end)
      if (++this.steps % STEPS === 0) yield
    }
    return end
  }

  *document(): Scan<void> {
    const end = yield* this.blanks(yield* this.value(yield* this.blanks(0)))
    if (end < this.text.length) throw new Fault("Extra data", end)
  }

  /** Each method reads what starts at an index and returns the index after it. */
  *value(index: number): Scan<number> {
    const { text } = this
    if (++this.steps % STEPS === 0) yield
    switch (text[index]) {
      case "\"":
        return yield* this.string(index)
      case "{":
        return yield* this.nested(index, this.object(index + 1))
      case "[":
        return yield* this.nested(index, this.array(index + 1))
    }
    for (const word of ["null", "true", "false"]) {
      if (text.startsWith(word, index)) return index + word.length
    }
    const end = this.skip(NUMBER, index)
    if (end === index) throw new Fault("Expecting value", index)
    return end
  }

  *nested(index: number, reading: Scan<number>): Scan<number> {
    if (this.depth === MAX_DEPTH) throw new Fault("Recursion limit exceeded", index)
    this.depth++
    const end = yield* reading
    this.depth--
    return end
  }

  *object(start: number): Scan<number> {
    const { text } = this
    let index = yield* this.blanks(start)
    if (text[index] === "}") return index + 1
    while (true) {
      if (text[index] !== "\"") throw new Fault("Expecting property name enclosed in double quotes", index)
      index = yield* this.blanks(yield* this.string(index))
      if (text[index] !== ":") throw new Fault("Expecting ':' delimiter", index)
      index = yield* this.blanks(yield* this.value(yield* this.blanks(index + 1)))
      if (text[index] === "}") return index + 1
      if (text[index] !== ",") throw new Fault("Expecting ',' delimiter", index)
      index = yield* this.blanks(index + 1)
    }
  }

  *array(start: number): Scan<number> {
    const { text } = this
    let index = yield* this.blanks(start)
    if (text[index] === "]") return index + 1
    while (true) {
      index = yield* this.blanks(yield* this.value(index))
      if (text[index] === "]") return index + 1
      if (text[index] !== ",") throw new Fault("Expecting ',' delimiter", index)
      index = yield* this.blanks(index + 1)
    }
  }

  *string(start: number): Scan<number> {
    const { text } = this
    let index = start + 1
    while (true) {
      if (++this.steps % STEPS === 0) yield
      index = yield* this.plain(index)
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

/** Counts code points before an index. Pauses at each `yield`. */
export function* countCodePoints(text: string, end: number): Generator<void, number> {
  let count = end
  for (let index = 1; index < end; index++) {
    if (index % CHARACTERS === 0) yield
    const unit = text.charCodeAt(index)
    const before = text.charCodeAt(index - 1)
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count--
  }
  return count
}

/** The first error of a text that is not JSON, or is nested too deeply. Pauses at each `yield`. */
export function* jsonFault(text: string): Generator<void, JsonFault> {
  try {
    yield* new Scanner(text).document()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    yield
    return { position: yield* countCodePoints(text, error.index), reason: error.message }
  }
  return { position: 0, reason: "Expecting value" }
}
