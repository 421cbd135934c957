/**
 * The content of a typed payload: its title, its URL, and its text in parts.
 *
 * Known fields are formatted as a person would read them. Unknown fields follow as `labelledStrings`.
 */
import { Schema } from "effect"
import { labelledStrings } from "../labelledStrings.ts"
import type { ContentType } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import type { KindCatalogue, KindDefinition } from "../model/KindCatalogue.ts"
import { WebUrl } from "../model/WebUrl.ts"

interface Markup {
  readonly content: string
  readonly contentType: ContentType
}

interface PayloadText {
  readonly title: string | null
  readonly url: string | null
  /** Lines before the body: who, where, when. */
  readonly head: string
  readonly body: Markup | null
  /** Fields that are not read otherwise. */
  readonly rest: string
}

type Fields = Readonly<Record<string, Schema.Json>>

const own = (fields: Fields, name: string): Schema.Json => Object.hasOwn(fields, name) ? fields[name]! : null

const text = (fields: Fields, name: string): string | null => {
  const value = own(fields, name)
  return typeof value === "string" && value.trim() !== "" ? value : null
}

const texts = (fields: Fields, name: string): string | null => {
  const value = own(fields, name)
  const list = Array.isArray(value)
    ? value.filter((element) => typeof element === "string" && element.trim() !== "")
    : []
  return list.length === 0 ? null : list.join(", ")
}

const labelled = (label: string, value: string | null): string | null => value === null ? null : `${label}: ${value}`

const joined = (parts: ReadonlyArray<string | null>, separator: string): string | null => {
  const present = parts.filter((part) => part !== null)
  return present.length === 0 ? null : present.join(separator)
}

const plain = (content: string | null): Markup | null =>
  content === null ? null : { content, contentType: "text/plain" }

interface KnownContent {
  readonly title: string | null
  readonly head: ReadonlyArray<string | null>
  readonly body: Markup | null
}

type Reader = (fields: Fields) => KnownContent

/** Times of a calendar event are shown with the offset that the client sent. */
const READERS: Readonly<Record<string, Reader>> = {
  email: (fields) => {
    const html = text(fields, "body_html")
    return {
      title: text(fields, "subject"),
      head: [
        labelled("From", text(fields, "from")),
        labelled("To", texts(fields, "to")),
        labelled("Cc", texts(fields, "cc")),
        labelled("Thread", text(fields, "thread_id"))
      ],
      // Prefer the plain text part, which has less noise.
      body: plain(text(fields, "body")) ?? (html === null ? null : { content: html, contentType: "text/html" })
    }
  },
  page: (fields) => {
    const content = text(fields, "content")
    const type = text(fields, "content_type")
    return {
      title: text(fields, "title"),
      head: [],
      body: content === null ? null : {
        content,
        contentType: type === "text/markdown" || type === "text/html" ? type : "text/plain"
      }
    }
  },
  message: (fields) => ({
    title: text(fields, "channel"),
    head: [labelled("Thread", text(fields, "thread_id"))],
    body: plain(joined([text(fields, "author"), text(fields, "text")], ": "))
  }),
  calendar: (fields) => ({
    title: text(fields, "title"),
    head: [
      labelled("Start", text(fields, "start")),
      labelled("End", text(fields, "end")),
      labelled("Location", text(fields, "location")),
      labelled("Organizer", text(fields, "organizer")),
      labelled("Attendees", texts(fields, "attendees"))
    ],
    body: plain(text(fields, "description"))
  }),
  issue: (fields) => ({
    title: joined([text(fields, "key"), text(fields, "title")], " "),
    head: [
      labelled("State", text(fields, "state")),
      labelled("Author", text(fields, "author")),
      labelled("Assignee", text(fields, "assignee")),
      labelled("Labels", texts(fields, "labels"))
    ],
    body: plain(text(fields, "body"))
  })
}

/** `due_date` becomes `Due date`. */
const labelOf = (name: string): string => {
  const words = name.replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** For a kind that a host has defined. */
const readerFor = ({ body, fields, title = [] }: KindDefinition): Reader => {
  const lines = Object.entries(fields).filter(([name, type]) =>
    type !== "json" && name !== body && name !== "url" && !title.includes(name)
  )
  return (given) => ({
    title: joined(title.map((name) => text(given, name)), " "),
    head: lines.map(([name, type]) =>
      labelled(labelOf(name), type === "texts" ? texts(given, name) : text(given, name))
    ),
    body: body === undefined ? null : plain(text(given, body))
  })
}

const readNothing: Reader = () => ({ title: null, head: [], body: null })

const isWebUrl = Schema.is(WebUrl)

export const payloadText = (payload: Payload, { definitionOf, fieldsOf }: KindCatalogue): PayloadText => {
  const kind = text(payload, "kind") ?? ""
  const defined = definitionOf(kind)
  const read = Object.hasOwn(READERS, kind)
    ? READERS[kind]!
    : defined === undefined
    ? readNothing
    : readerFor(defined)
  const fields = fieldsOf(kind) ?? {}
  // Fields of any JSON follow with the unknown ones.
  const isRead = (name: string) => Object.hasOwn(fields, name) && fields[name] !== "json"
  const { title, head, body } = read(payload)
  const url = isRead("url") ? text(payload, "url") : null
  return {
    title,
    // A URL is shown as a link; anything else stays in the payload.
    url: url !== null && isWebUrl(url) ? url : null,
    head: joined(head, "\n") ?? "",
    body,
    rest: labelledStrings(
      Object.fromEntries(Object.entries(payload).filter(([name]) => name !== "kind" && !isRead(name)))
    )
  }
}
