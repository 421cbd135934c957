/** The kinds of documents and their fields. A host can add its own. */

const FIELD_TYPES = ["text", "texts", "moment", "contentType", "json"] as const
/** `json` is any JSON. */
export type FieldType = typeof FIELD_TYPES[number]

/** All fields are optional. Known fields must have their type; unknown ones are stored as sent. */
export type KindFields = Readonly<Record<string, FieldType>>

/** A kind of documents of the host's own: `open` takes them by name as `kinds`. */
export interface KindDefinition {
  /** The type of each field. */
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
    /** The subject, which becomes the title. */
    subject: "text",
    /** The sender. */
    from: "text",
    /** The recipients. */
    to: "texts",
    /** The recipients of a copy. */
    cc: "texts",
    /** The text. */
    body: "text",
    /** The text as HTML, used if there is no `body`. */
    body_html: "text",
    /** The id of the conversation. */
    thread_id: "text"
  },
  page: {
    /** The title. */
    title: "text",
    /** The URL where it can be opened. */
    url: "text",
    /** The text. */
    content: "text",
    /** The format of `content`. */
    content_type: "contentType"
  },
  message: {
    /** The channel, which becomes the title. */
    channel: "text",
    /** The author. */
    author: "text",
    /** The text. */
    text: "text",
    /** The id of the conversation. */
    thread_id: "text"
  },
  calendar: {
    /** The title. */
    title: "text",
    /** The text. */
    description: "text",
    /** The location. */
    location: "text",
    /** The start. */
    start: "moment",
    /** The end, not before `start`. */
    end: "moment",
    /** The organizer. */
    organizer: "text",
    /** The attendees. */
    attendees: "texts"
  },
  issue: {
    /** The short name, such as `ARCH-7`. */
    key: "text",
    /** The title. */
    title: "text",
    /** The state. */
    state: "text",
    /** The person who opened the issue. */
    author: "text",
    /** The person who works on the issue. */
    assignee: "text",
    /** The labels. */
    labels: "texts",
    /** The text. */
    body: "text",
    /** The URL where it can be opened. */
    url: "text"
  },
  custom: {
    /** Any JSON. Every string in it is searchable. */
    data: "json"
  }
} as const satisfies Readonly<Record<string, KindFields>>
export type BuiltInFields = typeof BUILT_IN_FIELDS

const NAME = /^[a-z][a-z0-9_.-]{0,63}$/

/** Also of a caller in plain JavaScript. */
const hasFields = (definition: KindDefinition | null | undefined): boolean =>
  typeof definition?.fields === "object" && definition.fields !== null

const assertUsable = (kind: string, definition: KindDefinition): void => {
  if (!hasFields(definition)) throw new TypeError(`The kind "${kind}" has no "fields", the types of its fields by name`)
  const { body, fields, title = [] } = definition
  if (!NAME.test(kind)) throw new TypeError(`A kind's name matches ${NAME.source}, and "${kind}" does not`)
  if (Object.hasOwn(BUILT_IN_FIELDS, kind)) throw new TypeError(`The kind "${kind}" is built in: choose another name`)
  for (const [name, type] of Object.entries(fields)) {
    if (!FIELD_TYPES.includes(type)) {
      throw new TypeError(
        `The field "${name}" of the kind "${kind}" has an unknown type. The types are: ${FIELD_TYPES.join(", ")}`
      )
    }
  }
  for (const name of [...title, ...(body === undefined ? [] : [body])]) {
    if (fields[name] !== "text") throw new TypeError(`"${name}" is not a field of type "text" of the kind "${kind}"`)
  }
}

/**
 * The built-in kinds and those of a host. Throws a `TypeError` if a name is invalid or built in, if a field has an
 * unknown type, or if `title` or `body` names a field that is not of type `text`.
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
