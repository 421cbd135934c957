/** The strings of a JSON text, of which one may be nearly all of it. */
import { endSlice } from "@tributary/core/Slices"
import { JsonFault } from "./JsonFault.ts"

const QUOTE = 0x22
const SPACE = 0x20
const BACKSLASH = 0x5c

/** A slice of this length is a copy, and a longer one keeps the whole text in memory. */
const TINY = 12

/** Longer strings are read in pieces of this length. */
const LONG = 262_144

/** Characters, and quotes, between two pauses. */
const CHARACTERS = 50_000
const QUOTES = 10_000

/** The length of `\u00e9`. */
const ESCAPE = 6

const HEX = /^[0-9a-fA-F]{4}$/

// Escapes, and what no string may contain.
const NOT_PLAIN = /[\u0000-\u001f\\]/

const isPlain = (code: number): boolean => code >= SPACE && code !== QUOTE && code !== BACKSLASH

/** Whether a quote is escaped: preceded by an odd number of backslashes. */
const isEscaped = (text: string, quote: number): boolean => {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

/** The last index up to `at` that is inside no escape of a string, whose next one begins at `start` or after. */
const betweenEscapes = (text: string, start: number, at: number): number => {
  let last = at - 1
  while (last >= start && last > at - ESCAPE && text.charCodeAt(last) !== BACKSLASH) last--
  if (last < start || text.charCodeAt(last) !== BACKSLASH) return at
  let first = last
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--
  const isWhole = (last - first) % 2 === 1 || last + (text[last + 1] === "u" ? ESCAPE : 2) <= at
  return isWhole ? at : last
}

export class JsonStrings {
  readonly text: string
  /** The index after the last string. */
  end = 0

  constructor(text: string) {
    this.text = text
  }

  /** The string that starts at an index, unless it is long or has a fault. */
  short(start: number): string | undefined {
    const { text } = this
    let end = start + 1
    while (isPlain(text.charCodeAt(end)) && end - start <= TINY) end++
    if (text.charCodeAt(end) === QUOTE) {
      this.end = end + 1
      return text.slice(start + 1, end)
    }
    do {
      end = text.indexOf("\"", end + 1)
      if (end === -1 || end - start > LONG) return undefined
    } while (isEscaped(text, end))
    this.end = end + 1
    try {
      return JSON.parse(text.slice(start, end + 1)) as string
    } catch {
      return undefined
    }
  }

  /** Any string that starts at an index. Pauses at each `yield`. */
  *any(start: number): Generator<void, string> {
    let close = start
    let quotes = 0
    do {
      close = this.text.indexOf("\"", close + 1)
      if (++quotes % QUOTES === 0) yield
    } while (close !== -1 && isEscaped(this.text, close))
    this.end = close + 1
    try {
      if (close !== -1) return yield* this.pieces(start + 1, close)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    return yield* this.fault(start)
  }

  *pieces(start: number, close: number): Generator<void, string> {
    // A slice keeps the whole text, so only a string that is most of it becomes one.
    if (close - start > this.text.length / 2 && (yield* this.isPlain(start, close))) {
      return this.text.slice(start, close)
    }
    const pieces: Array<string> = []
    for (let from = start; from < close;) {
      const to = from + LONG < close ? betweenEscapes(this.text, from, from + LONG) : close
      pieces.push(JSON.parse(`"${this.text.slice(from, to)}"`) as string)
      from = to
      yield
    }
    // Joining many takes a turn of its own.
    endSlice()
    yield
    const whole = pieces.join("")
    endSlice()
    yield
    return whole
  }

  /** Whether a string is the text between its quotes. */
  *isPlain(start: number, close: number): Generator<void, boolean> {
    for (let from = start; from < close; from += LONG) {
      if (NOT_PLAIN.test(this.text.slice(from, Math.min(from + LONG, close)))) return false
      yield
    }
    return true
  }

  /** Throws the first fault of a string. */
  *fault(start: number): Generator<void, never> {
    const { text } = this
    for (let index = start + 1, steps = 1;; steps++) {
      if (steps % CHARACTERS === 0) yield
      const code = text.charCodeAt(index)
      if (isPlain(code)) {
        index++
        continue
      }
      const escaped = text[index + 1]
      if (index >= text.length) throw new JsonFault("Unterminated string starting at", start)
      if (code !== BACKSLASH) throw new JsonFault("Invalid control character at", index)
      if (escaped === undefined) throw new JsonFault("Unterminated string starting at", start)
      if (escaped === "u") {
        if (!HEX.test(text.slice(index + 2, index + 6))) throw new JsonFault("Invalid \\uXXXX escape", index + 1)
        index += ESCAPE
      } else if ("\"\\/bfnrt".includes(escaped)) {
        index += 2
      } else {
        throw new JsonFault("Invalid \\escape", index)
      }
    }
  }
}
