/** The kinds of things that a document can be, and the fields of each that are understood. */
import { Schema } from "effect"
import { isStorable } from "./Text.ts"
import { dateTimeFault, toDate } from "./Timestamp.ts"
import { violated, type Violation } from "./Violation.ts"

type FieldType = "text" | "texts" | "moment" | "contentType" | "json"

/** All fields are optional; one that is present has its type; others are kept as they were sent. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
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

export const KINDS: ReadonlyArray<string> = Object.keys(FIELDS)

/** One of the catalogue. */
export const Kind = Schema.Literals(KINDS)

/** Lists names the way the published errors do: `'a', 'b' or 'c'`. */
export const quotedList = (names: ReadonlyArray<string>): string =>
  names.length < 2
    ? names.map((name) => `'${name}'`).join("")
    : `${names.slice(0, -1).map((name) => `'${name}'`).join(", ")} or '${names.at(-1)}'`

const literal = (names: ReadonlyArray<string>): Violation => ({
  type: "literal_error",
  message: `Input should be ${quotedList(names)}`,
  context: { expected: quotedList(names) }
})

/** The content types that a `page` and a text item may name. */
export const CONTENT_TYPES = ["text/plain", "text/markdown", "text/html"] as const

const textFault = (value: unknown): Violation | undefined =>
  typeof value !== "string"
    ? { type: "string_type", message: "Input should be a valid string" }
    : isStorable(value)
    ? undefined
    : {
      type: "string_unicode",
      message: "Input should be a valid string, unable to parse raw data as a unicode string"
    }

const at = (path: ReadonlyArray<string | number>, fault: Violation | undefined): ReadonlyArray<Violation> =>
  fault === undefined ? [] : [{ ...fault, path }]

/** More faults of one list than these help nobody. */
const MAX_FAULTS = 100

const elementFaults = (name: string, values: ReadonlyArray<unknown>): ReadonlyArray<Violation> => {
  const faults: Array<Violation> = []
  for (const [index, value] of values.entries()) {
    faults.push(...at([name, index], textFault(value)))
    if (faults.length === MAX_FAULTS) break
  }
  return faults
}

const judgeField = (name: string, type: FieldType, value: unknown): ReadonlyArray<Violation> => {
  switch (type) {
    case "text":
      return at([name], textFault(value))
    case "texts":
      return Array.isArray(value)
        ? elementFaults(name, value)
        : at([name], { type: "list_type", message: "Input should be a valid list" })
    case "moment":
      return at(
        [name],
        typeof value === "string"
          ? dateTimeFault(value)
          : { type: "datetime_type", message: "Input should be a valid datetime" }
      )
    case "contentType":
      return CONTENT_TYPES.some((type) => type === value) ? [] : at([name], literal(CONTENT_TYPES))
    case "json":
      return []
  }
}

const endsBeforeStart = (payload: Readonly<Record<string, unknown>>): boolean =>
  typeof payload["start"] === "string" && typeof payload["end"] === "string" &&
  toDate(payload["end"]) < toDate(payload["start"])

const judge = (payload: Readonly<Record<string, unknown>>): ReadonlyArray<Violation> => {
  if (!Object.hasOwn(payload, "kind")) return [{ type: "missing", message: "Field required", path: ["kind"] }]
  const kind = payload["kind"]
  if (typeof kind !== "string" || !Object.hasOwn(FIELDS, kind)) return at(["kind"], literal(KINDS))
  const faults = Object.entries(FIELDS[kind]!).flatMap(([name, type]) =>
    Object.hasOwn(payload, name) ? judgeField(name, type, payload[name]) : []
  )
  return faults.length === 0 && kind === "calendar" && endsBeforeStart(payload)
    ? at(["end"], { type: "value_error", message: "Value error, must not be before start" })
    : faults
}

const DOCUMENTED: Readonly<Record<FieldType, object>> = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  moment: { type: "string", format: "date-time" },
  contentType: { type: "string", enum: CONTENT_TYPES },
  json: {}
}

/** The form of one kind's payload, as far as JSON Schema can say it, under a name that tells it apart. */
const documented = ([kind, fields]: readonly [string, Readonly<Record<string, FieldType>>]) => ({
  title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Payload`,
  type: "object",
  properties: {
    kind: { type: "string", const: kind },
    ...Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, DOCUMENTED[type]]))
  },
  required: ["kind"],
  additionalProperties: true
})

/** A typed payload: `kind` says which fields are understood. */
export const Payload = Schema.Record(Schema.String, Schema.Json)
  .annotate({ typeViolation: "model_attributes_type" })
  .check(violated(judge, { anyOf: Object.entries(FIELDS).map(documented) }))
export type Payload = typeof Payload.Type
