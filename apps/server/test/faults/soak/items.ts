/** The items that a workspace ingests, and what the service must store of each. */
import type { Draft } from "./operations.ts"

const DAY = 86_400_000

/** Noon of the first day of the test, which is far from the turn of any day. */
const NOW = Math.floor(Date.now() / DAY) * DAY + DAY / 2

export const daysAgo = (days: number): number => Math.round(NOW - days * DAY)

export const timeOf = (moment: number): string => new Date(moment).toISOString()

/** The metadata that each connector adds. */
export const METADATA = { notes: {}, mail: { team: "green", origin: "mail" }, wiki: { origin: "wiki" } } as const

type Connector = keyof typeof METADATA
export type Form = "text" | "json" | "typed"

export interface Stored {
  readonly connector: string
  readonly external_id: string
  /** The item as it was sent. */
  readonly form: Form
  readonly sent: object
  readonly kind: string
  readonly title: string | null
  /** A word that no other version of any document has. */
  readonly word: string
  /** The exact text; null if the service makes it of a payload. */
  readonly text: string | null
  readonly payload: unknown
  readonly size: number
  readonly from: number
  readonly to: number
  readonly metadata: Readonly<Record<string, string>>
}

/** A word that every document has. */
export const COMMON = "zzsoakzz"

/** No stemmer changes it, and none is the beginning of another. */
export const wordOf = (...numbers: ReadonlyArray<number>): string =>
  `q${
    numbers.map((number) => [...String(number + 1_000_000)].map((digit) => "bcdfghjklm"[Number(digit)]).join(""))
      .join("")
  }x`

const sentence = (id: string, word: string): string => `The code of ${id} is ${word} in the ledger ${COMMON}.`

const filler = (sentences: number): string =>
  Array.from({ length: sentences }, (_, at) => ` Line ${at} of the appendix repeats what all others say.`).join("")

/** The text of a kind is in the field with the body. */
const payloadOf = (kind: Draft["kind"], title: string, body: string, moment: number): Record<string, unknown> => {
  switch (kind) {
    case "email":
      return { kind, subject: title, from: "ada@example.com", to: ["bob@example.com"], body }
    case "page":
      return { kind, title, content: body, content_type: "text/markdown" }
    case "message":
      return { kind, channel: title, author: "ada", text: body }
    case "calendar":
      return { kind, title, description: body, start: timeOf(moment), end: timeOf(moment + DAY / 12) }
    case "issue":
      return { kind, title, labels: ["soak"], body, reviewer: "bob" }
  }
}

const bytes = (text: string): number => new TextEncoder().encode(text).length

export const storedOf = (connector: Connector, form: Form, draft: Draft, word: string): Stored => {
  const { age, id, kind, sentences, team } = draft
  const from = daysAgo(age)
  const own = team === null ? {} : { team }
  const frame = { external_id: id, timestamp: timeOf(from), metadata: own }
  const body = sentence(id, word) + filler(sentences)
  const common = {
    connector,
    external_id: id,
    form,
    word,
    from,
    to: from,
    metadata: { ...METADATA[connector], ...own }
  }
  if (form === "text") {
    const title = `Report ${sentences} on ${id}`
    const sent = { ...frame, text: body, title }
    return { ...common, sent, kind: "custom", title, text: body, payload: null, size: bytes(body) }
  }
  if (form === "json") {
    const data = { note: body, nested: { list: [1, null, { team }], flag: true } }
    return {
      ...common,
      sent: { ...frame, data },
      kind: "custom",
      title: null,
      text: null,
      payload: data,
      size: bytes(JSON.stringify(data))
    }
  }
  const title = `The ${kind} ${sentences}`
  const payload = payloadOf(kind, title, body, from)
  return {
    ...common,
    sent: { ...frame, payload },
    kind,
    title,
    text: null,
    payload,
    size: bytes(JSON.stringify(payload)),
    to: kind === "calendar" ? from + DAY / 12 : from
  }
}
