/** Fields with parameters, such as the type of a part (RFC 2045, 5.1), with long and encoded values (RFC 2231). */
import { shownText } from "./charsets.ts"

export interface StructuredField {
  /** In lower case. */
  readonly value: string
  /** By their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)|([^;]*))/g

const COMMENT = /\([^()]*\)/g
/** In a name such as `Plan (1).pdf`, which lacks its quotes, it is no comment. */
const LAST_COMMENT = /\s\([^()]*\)\s*$/

/** A piece of a value, with its number; it is encoded if it ends with an asterisk. */
const PIECE = /^([^*]+)\*(\d{0,4})\*?$/

const unescaped = (text: string): Uint8Array =>
  Buffer.from(
    Buffer.from(text).toString("latin1").replace(
      /%([\da-f]{2})/gi,
      (_, code) => String.fromCharCode(parseInt(code, 16))
    ),
    "latin1"
  )

interface Piece {
  readonly at: number
  readonly isEncoded: boolean
  readonly text: string
}

/** Characters may be split between pieces, so they are decoded together. The first piece names the charset. */
const joined = (pieces: ReadonlyArray<Piece>): string => {
  const [, charset = "", rest] = /^([^']*)'[^']*'([^]*)$/.exec(pieces[0]!.isEncoded ? pieces[0]!.text : "") ?? []
  const texts = pieces.map(({ isEncoded, text }, at) => {
    const own = at === 0 ? rest ?? text : text
    return isEncoded ? unescaped(own) : Buffer.from(own)
  })
  return shownText(Buffer.concat(texts), charset)
}

/** Of contradicting parameters, the first one counts. */
const parametersOf = (field: string): StructuredField["parameters"] => {
  const parameters = new Map<string, string>()
  const split = new Map<string, Array<Piece>>()
  for (const [, written = "", quoted, plain = ""] of field.matchAll(PARAMETER)) {
    const text = quoted?.replace(/\\([^])/g, "$1") ?? plain.replace(LAST_COMMENT, "").trim()
    const key = written.toLowerCase()
    const [, name, at] = PIECE.exec(key) ?? []
    if (name !== undefined) {
      const pieces = split.get(name) ?? []
      split.set(name, pieces)
      pieces.push({ at: Number(at), isEncoded: key.endsWith("*"), text })
    } else if (!parameters.has(key)) parameters.set(key, text)
  }
  // The plain one is for programs that do not know the encoded one.
  for (const [name, pieces] of split) parameters.set(name, joined(pieces.toSorted((one, other) => one.at - other.at)))
  return parameters
}

export const structuredField = (field: string): StructuredField => {
  const [value = ""] = field.replace(COMMENT, "").trim().split(/[\s;]/, 1)
  return { value: value.toLowerCase(), parameters: parametersOf(field) }
}
