/** The validation of typed items by kind. */
import { Schema } from "effect"
import { BUILT_IN_KINDS, type FieldType, type KindCatalogue } from "./KindCatalogue.ts"
import { isStorable, UNSTORABLE } from "./Text.ts"
import { dateTimeFault, toDate } from "./Timestamp.ts"
import { MISSING, violated, violatedBy, type Violation } from "./Violation.ts"

/** Formats names as the API's errors do: `'a', 'b' or 'c'`. */
export const quotedList = (names: ReadonlyArray<string>): string =>
  names.length < 2
    ? names.map((name) => `'${name}'`).join("")
    : `${names.slice(0, -1).map((name) => `'${name}'`).join(", ")} or '${names.at(-1)}'`

const literal = (names: ReadonlyArray<string>): Violation => ({
  type: "literal_error",
  message: `Input should be ${quotedList(names)}`,
  context: { expected: quotedList(names) }
})

/** The content types of a `page` and of a text item. */
export const CONTENT_TYPES = ["text/plain", "text/markdown", "text/html"] as const

const textFault = (value: unknown): Violation | undefined =>
  typeof value !== "string"
    ? { type: "string_type", message: "Input should be a valid string" }
    : isStorable(value)
    ? undefined
    : UNSTORABLE

const at = (path: ReadonlyArray<string | number>, fault: Violation | undefined): ReadonlyArray<Violation> =>
  fault === undefined ? [] : [{ ...fault, path }]

/** The most problems reported for one list. */
const MAX_FAULTS = 100

const elementFaults = (name: string, values: ReadonlyArray<unknown>): ReadonlyArray<Violation> => {
  const faults: Array<Violation> = []
  for (const [index, value] of values.entries()) {
    const fault = textFault(value)
    if (fault !== undefined && faults.push({ ...fault, path: [name, index] }) === MAX_FAULTS) break
  }
  return faults
}

const fieldViolations = (name: string, type: FieldType, value: unknown): ReadonlyArray<Violation> => {
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

const notInCatalogue = ({ kinds }: KindCatalogue) => (): Violation => literal(kinds)

const payloadViolations =
  (catalogue: KindCatalogue) => (payload: Readonly<Record<string, unknown>>): ReadonlyArray<Violation> => {
    if (!Object.hasOwn(payload, "kind")) return [{ ...MISSING, path: ["kind"] }]
    const kind = payload["kind"]
    const fields = typeof kind === "string" ? catalogue.fieldsOf(kind) : undefined
    if (fields === undefined) return at(["kind"], notInCatalogue(catalogue)())
    const faults = Object.entries(fields).flatMap(([name, type]) =>
      Object.hasOwn(payload, name) ? fieldViolations(name, type, payload[name]) : []
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

/** The JSON Schema of one kind's payload, under a unique name. */
const documented = ({ fieldsOf }: KindCatalogue) => (kind: string) => ({
  title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Payload`,
  type: "object",
  properties: {
    kind: { type: "string", const: kind },
    ...Object.fromEntries(Object.entries(fieldsOf(kind)!).map(([name, type]) => [name, DOCUMENTED[type]]))
  },
  required: ["kind"],
  additionalProperties: true
})

/** A kind of the catalogue. */
export const kindOf = (catalogue: KindCatalogue) =>
  Schema.String.annotate({ typeViolation: notInCatalogue(catalogue) }).check(
    violatedBy(
      (kind) => catalogue.fieldsOf(kind) === undefined ? notInCatalogue(catalogue)() : undefined,
      () => ({ enum: catalogue.kinds })
    )
  )

/** A typed payload: `kind` determines the fields. */
export const payloadOf = (catalogue: KindCatalogue) =>
  Schema.Record(Schema.String, Schema.Json)
    .annotate({ typeViolation: "model_attributes_type" })
    .check(violated(payloadViolations(catalogue), () => ({ anyOf: catalogue.kinds.map(documented(catalogue)) })))

/**
 * A typed payload as clients send it. The service validates it by its own catalogue (`payloadOf`), because a host may
 * add kinds. The documentation has the built-in ones.
 */
export const Payload = Schema.Record(Schema.String, Schema.Json)
  .annotate({ typeViolation: "model_attributes_type" })
  .check(violated(() => [], () => ({ anyOf: BUILT_IN_KINDS.kinds.map(documented(BUILT_IN_KINDS)) })))
export type Payload = typeof Payload.Type

/** The name of a kind as clients send it, validated like `Payload`. */
export const Kind = Schema.String.check(violatedBy(() => undefined, () => ({ enum: BUILT_IN_KINDS.kinds })))
