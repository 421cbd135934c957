/** Reads mails: uploaded ones, and those of mailboxes. */
import { type Address, addressParser, decodeWords } from "postal-mime"
import { htmlText } from "./internal/formats/htmlText.ts"
import type { Attached } from "./internal/mail/Attached.ts"
import { inUtf8Words } from "./internal/mail/encodedWords.ts"
import { type MimePart, mimeParts } from "./internal/mail/mimeParts.ts"
import { fileBytesOf, textOf } from "./internal/mail/partContent.ts"
import { signedPart } from "./internal/mail/signedData.ts"
import { readTnef } from "./internal/mail/tnef.ts"

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

/** Pictures and sounds, and what is only for programs: signatures, keys, and reports beside their text. */
const WORDLESS =
  /^(?:image|audio|video|font)\/|^application\/(?:pgp-|(?:x-)?pkcs7-signature$)|^message\/(?:delivery-|disposition-|feedback-)/

/** Whether an attachment of this type may contain text. */
export const hasWords = (type: string): boolean => !WORDLESS.test(type)

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

const OUTLOOK = /^application\/(?:vnd\.)?ms-tnef$/
/** Whatever its type. */
const OUTLOOK_NAME = /^win(?:mail)?\.dat$/i
const SIGNED_OR_ENCRYPTED = /^application\/(?:x-)?pkcs7-mime$/
/** Of such a part whose type says nothing. */
const SIGNED_OR_ENCRYPTED_NAME = /^smime\.p7m$/i

/** In place of what cannot be read. */
const ENCRYPTED = "(This text is encrypted and cannot be read.)"

/** To the end if it does not end. */
const PGP_BLOCK = /^-----BEGIN PGP (MESSAGE|SIGNATURE)-----[^]*?(?:^-----END PGP \1-----|(?![^]))/gm

const withoutPgp = (text: string): string =>
  text.replace(PGP_BLOCK, (_, kind: string) => kind === "MESSAGE" ? ENCRYPTED : "")

const nameOf = ({ disposition, type }: MimePart): string =>
  decodeWords(inUtf8Words(disposition.parameters.get("filename") || type.parameters.get("name") || ""))

/** What a mail's parts contain, in display order. */
class Contents {
  readonly texts = new Map<MimePart, Alternatives>()
  /** Texts in Outlook's own format, which repeat the others, if there are any. */
  readonly copies: Array<Alternatives> = []
  readonly attachments: Array<Attached> = []
  readonly #depth: number
  /** Of a mail in that format. */
  subject: string | undefined
  /** How many mails that are signed in one piece were opened. */
  #opened = 0

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
      const text = textOf(part)
      if (value === "text/html") this.#textsOf(within ?? part).html.push(text)
      else this.#textsOf(within ?? part).plain.push(withoutPgp(text))
    } else if (OUTLOOK.test(value) || OUTLOOK_NAME.test(nameOf(part))) {
      if (!this.addOutlook(fileBytesOf(part))) this.#attach(part)
    } else if (SIGNED_OR_ENCRYPTED.test(value) || SIGNED_OR_ENCRYPTED_NAME.test(nameOf(part))) {
      this.#addSigned(part, within)
    } else if (!value.startsWith("multipart/") && !COPY.test(value)) this.#attach(part)
    if (value === "multipart/encrypted") this.#textsOf(within ?? part).plain.push(ENCRYPTED)
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

  #addSigned(part: MimePart, within: MimePart | null): void {
    const signed = this.#opened < MAX_NESTED ? signedPart(fileBytesOf(part)) : null
    if (signed !== null) {
      this.#opened++
      return this.add(mimeParts(signed), within, false)
    }
    this.#textsOf(within ?? part).plain.push(ENCRYPTED)
    this.#attach(part)
  }

  /** Whether it is such a mail, and undamaged. */
  addOutlook(bytes: Buffer): boolean {
    const mail = readTnef(bytes)
    if (mail === null) return false
    this.copies.push({ plain: [mail.text], html: [mail.html] })
    for (const file of mail.files) this.attachments.push(file)
    this.subject = mail.subject || undefined
    return true
  }

  #attach(part: MimePart): void {
    this.attachments.push({ name: nameOf(part), type: part.type.value, bytes: () => fileBytesOf(part) })
  }
}

const readWithin = (bytes: Uint8Array, depth: number): Mail => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const contents = new Contents(depth)
  const mail = mimeParts(contents.addOutlook(buffer) ? Buffer.alloc(0) : buffer)
  contents.add(mail, null, false)
  const body = joined(contents.texts.values())
  const all = (name: string) => (mail.fields.get(name) ?? []).map(inUtf8Words)
  const words = (name: string) => decodeWords(all(name)[0] ?? "") || undefined
  const addresses = (fields: ReadonlyArray<string>) => fields.flatMap((field) => addressParser(field)).map(addressText)
  return {
    subject: words("subject") ?? contents.subject,
    from: addresses(all("from").slice(0, 1))[0],
    to: addresses(all("to")),
    cc: addresses(all("cc")),
    date: all("date")[0],
    messageId: words("message-id"),
    inReplyTo: words("in-reply-to"),
    references: words("references"),
    ...(body.text === "" && body.html === "" ? joined(contents.copies) : body),
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
