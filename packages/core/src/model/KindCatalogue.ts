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

const BUILT_IN_FIELDS: Readonly<Record<string, KindFields>> = {
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
}

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
  const fields = new Map([
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
