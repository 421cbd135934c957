/**
 * The fields of an upload: text, JSON text, and the file. An empty field counts as absent, because browsers send empty
 * fields.
 */
import { fileItemOf } from "@tributary/core/model/Ingest"
import { payloadOf } from "@tributary/core/model/Kind"
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import { Predicate, Result } from "effect"
import { echo } from "@tributary/core/validation/Echo"
import type { Form, FormPart } from "./FormBody.ts"
import { alteredProblem } from "./JsonNumbers.ts"
import { type JsonValue, MAX_ITEM_VALUES, readJson } from "./JsonReader.ts"
import { part, STRICT } from "@tributary/core/validation/Part"
import type { Problem } from "@tributary/core/validation/Problem"
import { runGenerator } from "@tributary/core/runGenerator"

type Fields = Readonly<Record<string, unknown>>

const JSON_FIELDS: ReadonlySet<string> = new Set(["payload", "metadata"])

const NOT_A_FORM: Problem = { type: "value_error", loc: ["body"], msg: "Value error, not a valid multipart form" }

const SEVERAL_FILES: Problem = {
  type: "value_error",
  loc: ["body", "file"],
  msg: "Value error, only one file is allowed"
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decoded = (bytes: Uint8Array): Result.Result<string, Omit<Problem, "loc">> => {
  try {
    return Result.succeed(utf8.decode(bytes))
  } catch {
    const msg = "Input should be a valid string, unable to parse raw data as a unicode string"
    return Result.fail({ type: "string_unicode", msg })
  }
}

/** The value of a field, and the place of an integer in it that has lost digits. */
type Value = Pick<JsonValue, "altered" | "value">

const plain = (value: unknown): Value => ({ value, altered: undefined })

const parsed = (text: string): Result.Result<Value, Omit<Problem, "loc">> =>
  Result.mapError(runGenerator(readJson(text, MAX_ITEM_VALUES)), ({ message }) => ({
    type: "json_invalid",
    msg: `Invalid JSON: ${message}`,
    ...echo(text),
    ctx: { error: message }
  }))

const valueOf = ({ bytes, file, name }: FormPart): Result.Result<Value, Omit<Problem, "loc">> =>
  file !== null
    ? Result.succeed(plain({ bytes, ...file }))
    : JSON_FIELDS.has(name)
    ? Result.flatMap(decoded(bytes), parsed)
    : Result.map(decoded(bytes), plain)

const isSent = ({ bytes, file }: FormPart): boolean => bytes.length > 0 || (file !== null && file.name !== "")

/** The form's kind determines the fields of the payload; a payload with another kind contradicts it. */
const payloadProblemsOf = (kinds: KindCatalogue) => {
  const validate = part(payloadOf(kinds), ["body", "payload"], STRICT)
  return ({ kind = "page", payload }: Fields): ReadonlyArray<Problem> => {
    if (!Predicate.isReadonlyObject(payload)) return []
    if (Object.hasOwn(payload, "kind") && payload["kind"] !== kind) {
      const loc = ["body", "payload", "kind"]
      return [{ type: "value_error", loc, msg: "Value error, must be the kind of the form", ...echo(payload["kind"]) }]
    }
    // For an unknown kind, only the kind is reported.
    const known = typeof kind === "string" && kinds.fieldsOf(kind) !== undefined ? kind : "custom"
    const validated = validate({ ...payload, kind: known })
    return Result.isFailure(validated) ? validated.failure : []
  }
}

const isOfPayload = ({ loc }: Problem): boolean => loc[1] === "payload"

/** The fields by name, and the problems of those that have no value. The last of repeated fields counts. */
const fieldsOf = (sent: ReadonlyArray<FormPart>) => {
  const fields = new Map<string, Value>()
  const broken = new Map<string, Problem>()
  for (const field of sent) {
    const { name } = field
    const value = valueOf(field)
    broken.delete(name)
    fields.delete(name)
    if (Result.isSuccess(value)) fields.set(name, value.success)
    else broken.set(name, { ...value.failure, loc: ["body", name.slice(0, 1_000)] })
  }
  return { fields, broken }
}

/** Validates a form: returns its item, or every problem. */
export const fileFormValidator = (kinds: KindCatalogue) => {
  const validateForm = part(fileItemOf(kinds), ["body"], STRICT)
  const payloadProblems = payloadProblemsOf(kinds)

  return (form: Form): Result.Result<unknown, ReadonlyArray<Problem>> => {
    if (form === null) return Result.fail([NOT_A_FORM])
    const sent = form.filter(isSent)
    const { broken, fields } = fieldsOf(sent)
    const candidate: Fields = Object.fromEntries(Array.from(fields, ([name, { value }]) => [name, value]))
    const validated = validateForm(candidate)
    const found = Result.isFailure(validated) ? validated.failure : []
    const problems = [
      ...found.filter(({ loc }) => !broken.has(String(loc[1]))),
      ...broken.values(),
      ...(sent.filter(({ file, name }) => name === "file" && file !== null).length > 1 ? [SEVERAL_FILES] : []),
      ...(found.some(isOfPayload) ? [] : payloadProblems(candidate))
    ]
    if (Result.isFailure(validated) || problems.length > 0) return Result.fail(problems)
    const altered = fields.get("payload")?.altered
    return altered === undefined ? validated : Result.fail([alteredProblem(["body", "payload", ...altered])])
  }
}
