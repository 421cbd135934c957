/** Reads mails: uploaded ones, and those of mailboxes. */
import { type Address, addressParser, decodeWords } from "postal-mime"
import { htmlText } from "./internal/formats/htmlText.ts"
import { inUtf8Words } from "./internal/mail/encodedWords.ts"
import { type MimePart, mimeParts } from "./internal/mail/mimeParts.ts"
import { fileBytesOf, textOf } from "./internal/mail/partContent.ts"

export interface Attached {
  /** Empty if it has none. */
  readonly name: string
  /** In lower case, without parameters. */
  readonly type: string
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

export interface Mail {
  readonly subject: string | undefined
  /** Such as `Ada <ada@example.org>`. */
  readonly from: string | undefined
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** As it is written. */
  readonly date: string | undefined
  readonly messageId: string | undefined
  readonly inReplyTo: string | undefined
  readonly references: string | undefined
  /** The text, and that of mails within it. Empty if there is only HTML. */
  readonly text: string
  /** Empty unless `text` is. */
  readonly html: string
  readonly attachments: ReadonlyArray<Attached>
}

const addressText = (address: Address): string =>
  address.group === undefined
    ? address.name === "" ? address.address : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(addressText).join(", ")}`

/** Whether an attachment of this type may contain text. */
export const hasWords = (type: string): boolean => !/^(image|audio|video|font)\//.test(type)

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** A text in one of its formats; the other is empty. */
type Body = Pick<Mail, "text" | "html">

/** Alternatives of one text, or a text of its own. */
interface Alternatives {
  readonly plain: Array<string>
  readonly html: Array<string>
}

/** Pictures have words in their attributes. */
const TAG = /<(?!img\b)[^<>]*>/gi

/** Of longer texts, only the beginnings are compared. */
const MAX_COMPARED = 500_000

/** Whether the plain text says less than half of what the HTML does: then it only says that there is HTML. */
const isStub = (text: string, markup: string): boolean => {
  const page = markup.slice(0, MAX_COMPARED)
  const words = 2 * wordsIn(text.slice(0, MAX_COMPARED))
  // Without its tags, HTML has at least the words of its text, and counting these takes longer.
  return words < wordsIn(page.replaceAll(TAG, " ")) && words < wordsIn(htmlText(page).text)
}

const preferred = ({ html, plain }: Alternatives): Body => {
  const [text, markup] = [plain.join("\n"), html.join("\n")]
  if (markup.trim() === "") return { text, html: "" }
  return text.trim() === "" || isStub(text, markup) ? { text: "", html: markup } : { text, html: "" }
}

/** Texts in both formats become plain. */
const joined = (texts: Iterable<Alternatives>): Body => {
  const all = Array.from(texts, preferred).filter(({ html, text }) => html.trim() !== "" || text.trim() !== "")
  return all.every(({ text }) => text === "")
    ? { text: "", html: all.map(({ html }) => html).join("\n") }
    : { text: all.map(({ html, text }) => text === "" ? `${htmlText(html).text}\n` : text).join("\n"), html: "" }
}

/** The same text again, for programs with a language of their own. */
const COPY = /^text\/(?:x-amp-html|watch-html)$/

/** Deeper ones are attachments. */
const MAX_NESTED = 3

/** What a mail's parts contain, in display order. */
class Contents {
  readonly texts = new Map<MimePart, Alternatives>()
  readonly attachments: Array<Attached> = []
  readonly #depth: number

  constructor(depth: number) {
    this.#depth = depth
  }

  /** `within` is the part whose alternatives are its texts. A report has the mail that it is about as evidence. */
  add(part: MimePart, within: MimePart | null, isReport: boolean): void {
    const { disposition, parts, type: { value } } = part
    const isAttachment = disposition.value === "attachment"
    const isMail = value === "message/rfc822" && !isReport && this.#depth < MAX_NESTED
    if (isMail && !isAttachment) this.#addMail(part)
    else if ((value === "text/plain" || value === "text/html") && !isAttachment) {
      this.#textsOf(within ?? part)[value === "text/html" ? "html" : "plain"].push(textOf(part))
    } else if (!value.startsWith("multipart/") && !COPY.test(value)) this.#attach(part)
    const inside = value === "multipart/alternative" ? part : within
    for (const inner of parts) this.add(inner, inside, isReport || value === "multipart/report")
  }

  #textsOf(part: MimePart): Alternatives {
    const texts = this.texts.get(part) ?? { plain: [], html: [] }
    this.texts.set(part, texts)
    return texts
  }

  #addMail(part: MimePart): void {
    const mail = readWithin(fileBytesOf(part), this.#depth + 1)
    this.#textsOf(part).plain.push(nestedText(mail))
    for (const attachment of mail.attachments) this.attachments.push(attachment)
  }

  #attach(part: MimePart): void {
    const name = part.disposition.parameters.get("filename") || part.type.parameters.get("name") || ""
    this.attachments.push({
      name: decodeWords(inUtf8Words(name)),
      type: part.type.value,
      bytes: () => fileBytesOf(part)
    })
  }
}

const readWithin = (bytes: Uint8Array, depth: number): Mail => {
  const mail = mimeParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const contents = new Contents(depth)
  contents.add(mail, null, false)
  const all = (name: string) => (mail.fields.get(name) ?? []).map(inUtf8Words)
  const words = (name: string) => decodeWords(all(name)[0] ?? "") || undefined
  const addresses = (fields: ReadonlyArray<string>) => fields.flatMap((field) => addressParser(field)).map(addressText)
  return {
    subject: words("subject"),
    from: addresses(all("from").slice(0, 1))[0],
    to: addresses(all("to")),
    cc: addresses(all("cc")),
    date: all("date")[0],
    messageId: words("message-id"),
    inReplyTo: words("in-reply-to"),
    references: words("references"),
    ...joined(contents.texts.values()),
    attachments: contents.attachments
  }
}

const line = (label: string, values: ReadonlyArray<string | undefined>): ReadonlyArray<string> => {
  const written = values.filter(Boolean)
  return written.length === 0 ? [] : [`${label}: ${written.join(", ")}`]
}

/** Sender, recipients, and the text. */
export const mailText = ({ cc, from, html, text, to }: Mail): string => {
  const heads = [...line("From", [from]), ...line("To", to), ...line("Cc", cc)].join("\n")
  return [heads, html === "" ? text.trim() : htmlText(html).text].filter((part) => part !== "").join("\n\n")
}

/** Of a mail within another one. */
const nestedText = (mail: Mail): string =>
  [...line("Subject", [mail.subject]), ...line("Date", [mail.date]), mailText(mail), ""].join("\n")

export const readMail = (bytes: Uint8Array): Mail => readWithin(bytes, 0)

const typesOf = ({ parts, type: { value } }: MimePart): ReadonlyArray<string> =>
  value.startsWith("multipart/") ? parts.flatMap(typesOf) : [value]

/** The types of a mail's parts, in order. A mail within it counts as one part. */
export const partTypes = (bytes: Buffer): ReadonlyArray<string> => typesOf(mimeParts(bytes))
