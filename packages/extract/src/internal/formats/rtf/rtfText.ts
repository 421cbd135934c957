/**
 * The text of an RTF file.
 *
 * Its groups are read in order with a stack of what each inherits. What a group says that is no text, such as its fonts
 * and pictures, is passed over.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { decodedBytes, fontEncoding, pageEncoding } from "./codePages.ts"
import { RtfBody } from "./RtfBody.ts"

/** Groups without text of the document. */
const PASSED_OVER: ReadonlySet<string> = new Set(
  ("colortbl pict object filetbl listtable listoverridetable revtbl rsidtbl xmlnstbl mmathPr generator " +
    "themedata colorschememapping datastore latentstyles fldinst bkmkstart bkmkend xe tc tcn txe rxe datafield " +
    "header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc aftnsep aftnsepc nonshppict objdata " +
    "pgdsctbl pntxtb pntxta template operator company comment doccomm keywords category manager subject version " +
    "private sp atnid atnauthor atndate atnref atnicn annotation upr").split(" ")
)

/** Those of the document's properties that are read. */
const PROPERTIES: ReadonlySet<string> = new Set(["title", "author"])

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["line", "\n"],
  ["softline", "\n"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["bullet", "•"],
  ["endash", "–"],
  ["emdash", "—"],
  ["enspace", " "],
  ["emspace", " "],
  ["qmspace", " "],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
  ["zwbo", "\u200b"],
  ["zwnbo", "\u2060"],
  ["~", " "],
  ["_", "\u2011"],
  ["-", "\u00ad"],
  ["{", "{"],
  ["}", "}"],
  ["\\", "\\"]
])

type Destination = "text" | "none" | "fonts" | "styles" | "mark" | "note" | "title" | "author" | "info"

/** What a group inherits from the one around it. */
interface Group {
  destination: Destination
  encoding: string
  /** How many characters a program that knows no Unicode would show in place of one. */
  fallback: number
  isHidden: boolean
  isInTable: boolean
  /** Of a note, the text before it. */
  before: string
}

/** The name of a style; the headings of HTML have six levels. */
const HEADING = /^\s*heading ([1-6])\b/i

/** More than any program writes. */
const MAX_DEPTH = 5_000

/** A control word with its number, a symbol, a character in hexadecimal, a bracket, or text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^])|([{}])|([^\\{}\r\n]+)|[\r\n]+/giy

class RtfReader {
  readonly body = new RtfBody()
  readonly said = { title: "", author: "" }
  readonly #fonts = new Map<number, string>()
  readonly #groups: Array<Group> = []
  #group: Group = {
    destination: "none",
    encoding: "cp1252",
    fallback: 1,
    isHidden: false,
    isInTable: false,
    before: ""
  }
  #page = "cp1252"
  #font = 0
  #style = 0
  /** The names of styles by their numbers. */
  readonly #styles = new Map<number, string>()
  /** Characters that are decoded together: one may take two. */
  #bytes = ""
  /** How many characters of the fallback for the last one in Unicode are left. */
  #skipped = 0
  #isOptional = false

  read(source: string): void {
    TOKEN.lastIndex = 0
    for (let token = TOKEN.exec(source); token !== null; token = TOKEN.exec(source)) {
      const [, word, number, byte, symbol, bracket, text] = token
      if (word !== undefined) {
        if (word === "bin") TOKEN.lastIndex += Math.max(0, Number(number ?? 0))
        else this.#word(word, number === undefined ? null : Number(number))
      } else if (byte !== undefined) this.#characters(String.fromCharCode(Number.parseInt(byte, 16)))
      else if (symbol !== undefined) this.#symbol(symbol)
      else if (bracket !== undefined) this.#bracket(bracket)
      else if (text !== undefined) this.#characters(text)
    }
    this.#flush()
  }

  #bracket(bracket: string): void {
    this.#flush()
    this.#skipped = 0
    if (bracket === "{") {
      if (this.#groups.length >= MAX_DEPTH) throw new Damaged("The parts of the file are nested too deeply.")
      this.#groups.push(this.#group)
      this.#group = { ...this.#group }
      return
    }
    const inner = this.#group
    this.#group = this.#groups.pop() ?? inner
    if (inner.destination === "note" && this.#group.destination !== "note") this.body.takeNote(inner.before)
  }

  #symbol(symbol: string): void {
    if (symbol === "*") this.#isOptional = true
    else if (symbol === "\n" || symbol === "\r") this.#word("par", null)
    else this.#write(CHARACTERS.get(symbol) ?? "")
  }

  #word(word: string, number: number | null): void {
    const isOptional = this.#isOptional
    this.#isOptional = false
    const group = this.#group
    if (word === "u" && number !== null) {
      this.#write(String.fromCharCode(number & 0xffff))
      this.#skipped = group.fallback
      return
    }
    this.#flush()
    if (PASSED_OVER.has(word)) group.destination = "none"
    else if (word === "fonttbl") group.destination = "fonts"
    else if (word === "stylesheet") group.destination = "styles"
    else if (word === "info") group.destination = "info"
    else if (PROPERTIES.has(word) && group.destination === "info") group.destination = word as "title" | "author"
    else if (word === "listtext" || word === "pntext") {
      group.destination = group.destination === "text"
        ? "mark"
        : "none"
    } else if (word === "footnote") this.#openNote()
    else if (isOptional && word !== "shpinst" && word !== "shptxt" && word !== "shppict") group.destination = "none"
    else this.#setting(word, number)
  }

  #openNote(): void {
    if (this.#group.destination !== "text") return
    this.#group.destination = "note"
    this.#group.before = this.body.take()
  }

  #setting(word: string, number: number | null): void {
    const group = this.#group
    const character = CHARACTERS.get(word)
    if (character !== undefined) this.#write(character)
    else if (word === "rtf") group.destination = "text"
    else if (word === "ansicpg") group.encoding = this.#page = pageEncoding(number ?? 0)
    else if (word === "mac") group.encoding = this.#page = "macintosh"
    else if (word === "pc") group.encoding = this.#page = "cp437"
    else if (word === "f" && group.destination === "fonts") this.#font = number ?? 0
    else if (word === "s" && group.destination === "styles") this.#style = number ?? 0
    else if (word === "f") group.encoding = this.#fonts.get(number ?? 0) ?? this.#page
    else if (word === "fcharset") this.#fonts.set(this.#font, fontEncoding(number ?? 0) ?? this.#page)
    else if (word === "plain") {
      group.encoding = this.#page
      group.isHidden = false
    } else if (word === "uc") group.fallback = Math.max(0, number ?? 1)
    else if (word === "v" || word === "deleted") group.isHidden = number !== 0
    else if (group.destination === "text") this.#layout(word, number)
    else if (word === "par") this.#write("\n")
  }

  #layout(word: string, number: number | null): void {
    const group = this.#group
    if (word === "pard") {
      group.isInTable = false
      this.body.heading(0)
    } else if (word === "s") this.body.heading(Number(HEADING.exec(this.#styles.get(number ?? 0) ?? "")?.[1] ?? 0))
    else if (word === "intbl") group.isInTable = true
    else if (word === "outlinelevel" && number !== null && number < 9) this.body.heading(Math.min(6, number + 1))
    else if (word === "par" || word === "sect" || word === "page") this.body.endParagraph(group.isInTable)
    else if (word === "cell" || word === "nestcell") this.body.endCell()
    else if (word === "row" || word === "nestrow") this.body.endRow()
  }

  #characters(text: string): void {
    const skipped = Math.min(this.#skipped, text.length)
    this.#skipped -= skipped
    // Bytes above ASCII are as in the encoding of the font.
    this.#bytes += text.slice(skipped)
  }

  #flush(): void {
    if (this.#bytes === "") return
    const bytes = this.#bytes
    this.#bytes = ""
    this.#show(decodedBytes(bytes, this.#group.encoding))
  }

  #write(text: string): void {
    this.#flush()
    this.#skipped = 0
    this.#show(text)
  }

  #show(text: string): void {
    const { destination, isHidden } = this.#group
    if (destination === "styles") this.#styles.set(this.#style, `${this.#styles.get(this.#style) ?? ""}${text}`)
    else if (destination === "title" || destination === "author") this.said[destination] += text
    else if (isHidden) return
    else if (destination === "mark") this.body.mark(text)
    else if (destination === "text" || destination === "note") this.body.append(text)
  }
}

export const rtfText = (bytes: Uint8Array): Extracted => {
  const reader = new RtfReader()
  reader.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"))
  const text = reader.body.finish()
  const { author, title } = reader.said
  return extractedText(text, { title: title.trim() === "" ? reader.body.title : title, authors: [author] })
}
