/** Contacts (vCard), one paragraph each. */
import iconv from "iconv-lite"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"

/** What is read, with its label. Others are pictures, keys, and what programs need. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["NICKNAME", "Nickname"],
  ["ORG", "Organization"],
  ["TITLE", "Title"],
  ["ROLE", "Role"],
  ["TEL", "Phone"],
  ["EMAIL", "Email"],
  ["IMPP", "Messenger"],
  ["ADR", "Address"],
  ["BDAY", "Birthday"],
  ["ANNIVERSARY", "Anniversary"],
  ["URL", "Link"],
  ["CATEGORIES", "Categories"],
  ["NOTE", "Note"]
])

interface Field {
  readonly name: string
  readonly parameters: string
  readonly value: string
}

/** `item1.TEL;TYPE=home:+1`. A colon in quotes is no end of the parameters. */
const FIELD = /^(?:[\w-]+\.)?([A-Za-z][\w-]*)((?:;(?:[^":;]|"[^"]{0,200}"){0,200}){0,20}):(.*)$/s

const QUOTED = /[;=]QUOTED-PRINTABLE\b/i
const CHARSET = /;CHARSET="?([\w.:-]+)/i

/** The lines of a value that is quoted end in an equals sign, and go on without a space. */
const joinedLines = (text: string): ReadonlyArray<string> => {
  const lines: Array<Array<string>> = []
  let isOpen = false
  for (const line of text.split(/\r?\n/)) {
    const isQuoted: boolean = isOpen || QUOTED.test(line.split(":", 1)[0]!)
    const part: string = isQuoted && line.endsWith("=") ? line.slice(0, -1) : line
    if (isOpen) lines.at(-1)!.push(part)
    else lines.push([part])
    isOpen = part !== line
  }
  return lines.map((parts) => parts.join(""))
}

const bytesIn = (value: string): Buffer =>
  Buffer.from(
    value.replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1"
  )

const decoded = (bytes: Buffer, charset: string): string =>
  iconv.decode(bytes, iconv.encodingExists(charset) ? charset : "utf-8")

/** Every character of the value is a byte. */
const fieldOf = (line: string): Field | null => {
  const [, name, parameters = "", value = ""] = FIELD.exec(line) ?? []
  if (name === undefined) return null
  const bytes = QUOTED.test(parameters) ? bytesIn(value) : Buffer.from(value, "latin1")
  const charset = CHARSET.exec(parameters)?.[1] ?? "utf-8"
  return { name: name.toUpperCase(), parameters, value: decoded(bytes, charset) }
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([^])/g, (_, sign: string) => /n/i.test(sign) ? "\n" : sign)

/** The parts of an address or a name. */
const partsOf = (value: string): ReadonlyArray<string> =>
  value.split(/(?<!\\);/).map((part) => unescaped(part).trim()).filter((part) => part !== "")

const KIND = /;(?:TYPE=)?"?([\w,]+)/gi
const KINDS = /^(?:home|work|cell|mobile|fax|main)$/i

const kindOf = ({ parameters }: Field): string => {
  const kinds = Array.from(parameters.matchAll(KIND), ([, kinds = ""]) => kinds.split(",")).flat()
  const known = [...new Set(kinds.filter((kind) => KINDS.test(kind)).map((kind) => kind.toLowerCase()))]
  return known.length === 0 ? "" : ` (${known.join(", ")})`
}

const STRUCTURED: ReadonlySet<string> = new Set(["ADR", "ORG"])

const lineOf = (field: Field): string => {
  const label = LABELS.get(field.name)
  const value = STRUCTURED.has(field.name)
    ? partsOf(field.value).join(", ")
    : unescaped(field.value).trim().replace(/^(?:mailto|tel):/i, "")
  return label === undefined || value === "" ? "" : `${label}${kindOf(field)}: ${value}`
}

const nameOf = (fields: ReadonlyArray<Field>): string => {
  const said = (name: string) => fields.find((field) => field.name === name)?.value ?? ""
  const [family = "", given = "", middle = ""] = said("N").split(/(?<!\\);/).map(unescaped)
  return unescaped(said("FN")).trim() || [given, middle, family].filter((part) => part.trim() !== "").join(" ")
}

/** `bytes` has no folded lines. */
export const contactsText = (bytes: Uint8Array): Extracted => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const contacts: Array<Array<Field>> = []
  for (const line of joinedLines(text)) {
    const field = fieldOf(line)
    if (field?.name === "BEGIN") contacts.push([])
    else if (field !== null) contacts.at(-1)?.push(field)
  }
  if (contacts.length === 0) throw new Damaged("The file holds no contact.")
  const names = contacts.map(nameOf)
  const texts = contacts.map((fields, at) =>
    [names[at]!, ...fields.map(lineOf)].filter((line) => line !== "").join("\n")
  )
  return extractedText(texts.filter((part) => part !== "").join("\n\n"), {
    title: names.length === 1 ? names[0]! : null
  })
}
