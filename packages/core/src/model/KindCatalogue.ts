/**
 * The kinds of things that a document can be, and the fields of each that are understood.
 *
 * A host may define more. They hold for the whole process, so they are defined before anything is built from it; a
 * client that sends them in typed form defines them, too.
 */

/** `json` is anything. */
export type FieldType = "text" | "texts" | "moment" | "contentType" | "json"

/** All fields are optional; one that is present has its type; others are kept as they were sent. */
export type KindFields = Readonly<Record<string, FieldType>>

export interface KindDefinition {
  readonly fields: KindFields
  /** The `text` fields that make the title, in this order. */
  readonly title?: ReadonlyArray<string>
  /** The `text` field that is the body. All others are told before it, each behind its name. */
  readonly body?: string
}

const CATALOGUE = new Map<string, KindFields>(Object.entries({
  email: {
    subject: "text",
    from: "text",
    to: "texts",
    cc: "texts",
    body: "text",
    body_html: "text",
    thread_id: "text"
  },
  page: { title: "text", url: "text", content: "text", content_type: "contentType" },
  message: { channel: "text", author: "text", text: "text", thread_id: "text" },
  calendar: {
    title: "text",
    description: "text",
    location: "text",
    start: "moment",
    end: "moment",
    organizer: "text",
    attendees: "texts"
  },
  issue: {
    key: "text",
    title: "text",
    state: "text",
    author: "text",
    assignee: "text",
    labels: "texts",
    body: "text",
    url: "text"
  },
  custom: { data: "json" }
}))

const DEFINED = new Map<string, KindDefinition>()

const NAME = /^[a-z][a-z0-9_.-]{0,63}$/

/** Throws when the name is none, or is taken by another definition, or when `title` or `body` name no `text` field. */
export const defineKind = (kind: string, definition: KindDefinition): void => {
  if (!NAME.test(kind)) throw new TypeError(`A kind's name matches ${NAME.source}, and "${kind}" does not`)
  if (CATALOGUE.has(kind)) throw new TypeError(`The kind "${kind}" is there already`)
  const { body, fields, title = [] } = definition
  for (const name of [...title, ...(body === undefined ? [] : [body])]) {
    if (fields[name] !== "text") throw new TypeError(`"${name}" is no text field of the kind "${kind}"`)
  }
  CATALOGUE.set(kind, fields)
  DEFINED.set(kind, definition)
}

export const kinds = (): ReadonlyArray<string> => [...CATALOGUE.keys()]

/** Undefined for what is not in the catalogue. */
export const fieldsOf = (kind: string): KindFields | undefined => CATALOGUE.get(kind)

/** Of a kind that a host has defined. */
export const definitionOf = (kind: string): KindDefinition | undefined => DEFINED.get(kind)
