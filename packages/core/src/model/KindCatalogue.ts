/** The kinds of documents and their fields. A host can add its own. */

/** `json` is any JSON. */
export type FieldType = "text" | "texts" | "moment" | "contentType" | "json"

/** All fields are optional. Known fields must have their type; unknown ones are stored as sent. */
export type KindFields = Readonly<Record<string, FieldType>>

export interface KindDefinition {
  readonly fields: KindFields
  /** The `text` fields that form the title, in this order. */
  readonly title?: ReadonlyArray<string>
  /** The `text` field with the body. The texts of other fields precede it, each after its name. */
  readonly body?: string
}

/** The kinds of one service. */
export interface KindCatalogue {
  readonly kinds: ReadonlyArray<string>
  /** Undefined for an unknown kind. */
  readonly fieldsOf: (kind: string) => KindFields | undefined
  /** Whether the host added it. */
  readonly definitionOf: (kind: string) => KindDefinition | undefined
}

const BUILT_IN_FIELDS = {
  email: {
    /** Its title. */
    subject: "text",
    /** Who sent it. */
    from: "text",
    /** Whom it was sent to. */
    to: "texts",
    /** Who got a copy. */
    cc: "texts",
    /** Its text. */
    body: "text",
    /** Its text as HTML, read where there is no `body`. */
    body_html: "text",
    /** The conversation that it belongs to. */
    thread_id: "text"
  },
  page: {
    /** Its title. */
    title: "text",
    /** Where it can be opened. */
    url: "text",
    /** Its text. */
    content: "text",
    /** How to read `content`. */
    content_type: "contentType"
  },
  message: {
    /** Where it was written, which is its title. */
    channel: "text",
    /** Who wrote it. */
    author: "text",
    /** Its text. */
    text: "text",
    /** The conversation that it belongs to. */
    thread_id: "text"
  },
  calendar: {
    /** Its title. */
    title: "text",
    /** Its text. */
    description: "text",
    /** Where it takes place. */
    location: "text",
    /** When it begins. */
    start: "moment",
    /** When it ends; not before `start`. */
    end: "moment",
    /** Who invites. */
    organizer: "text",
    /** Who is invited. */
    attendees: "texts"
  },
  issue: {
    /** The name that people call it by, such as `ARCH-7`. */
    key: "text",
    /** Its title. */
    title: "text",
    /** Its state. */
    state: "text",
    /** Who opened it. */
    author: "text",
    /** Who works on it. */
    assignee: "text",
    /** What it is filed under. */
    labels: "texts",
    /** Its text. */
    body: "text",
    /** Where it can be opened. */
    url: "text"
  },
  custom: {
    /** Any JSON. Every string in it becomes text to search. */
    data: "json"
  }
} as const satisfies Readonly<Record<string, KindFields>>
export type BuiltInFields = typeof BUILT_IN_FIELDS

const NAME = /^[a-z][a-z0-9_.-]{0,63}$/

const assertUsable = (kind: string, { body, fields, title = [] }: KindDefinition): void => {
  if (!NAME.test(kind)) throw new TypeError(`A kind's name matches ${NAME.source}, and "${kind}" does not`)
  if (Object.hasOwn(BUILT_IN_FIELDS, kind)) throw new TypeError(`The kind "${kind}" is there already`)
  for (const name of [...title, ...(body === undefined ? [] : [body])]) {
    if (fields[name] !== "text") throw new TypeError(`"${name}" is no text field of the kind "${kind}"`)
  }
}

/**
 * The built-in kinds and those of a host. Throws a `TypeError` if a name is invalid or built in, or if `title` or
 * `body` names a field that is not of type `text`.
 */
export const kindCatalogue = (definitions: Readonly<Record<string, KindDefinition>> = {}): KindCatalogue => {
  const defined = new Map(Object.entries(definitions))
  for (const [kind, definition] of defined) assertUsable(kind, definition)
  const fields = new Map<string, KindFields>([
    ...Object.entries(BUILT_IN_FIELDS),
    ...[...defined].map(([kind, definition]) => [kind, definition.fields] as const)
  ])
  return {
    kinds: [...fields.keys()],
    fieldsOf: (kind) => fields.get(kind),
    definitionOf: (kind) => defined.get(kind)
  }
}

export const BUILT_IN_KINDS = kindCatalogue()
