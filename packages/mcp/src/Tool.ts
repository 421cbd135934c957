/** One tool: its description for a model, its scopes, and its implementation. */
import type { FineScope } from "@tributary/core/model/Scope"
import { part, STRICT } from "@tributary/core/validation/Part"
import { Effect, Result, type Schema } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from "./jsonSchema.ts"
import { Refused } from "./Refused.ts"

type Json = Schema.Json
type JsonObject = { readonly [name: string]: Json }

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The client needs one of them. */
  readonly scopes: ReadonlyArray<FineScope>
  /** It adds documents, and replaces or deletes those that are there. */
  readonly writes: boolean
  /** The same call again changes nothing more. */
  readonly idempotent: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Fails if the arguments are invalid. */
  readonly check: (given: unknown) => Effect.Effect<void, Refused>
  /** For valid arguments. */
  readonly run: (given: unknown) => Effect.Effect<JsonObject, Refused, HttpClient>
}

/** What a tool is made of. The JSON Schemas that it shows come from `input` and `output`. */
interface Definition<Input extends Schema.Codec<unknown, unknown>, Output extends Schema.Constraint>
  extends Pick<Tool, "name" | "title" | "description" | "scopes">
{
  readonly writes?: boolean
  readonly idempotent?: boolean
  readonly input: Input
  /** At least these fields: the API may add others. */
  readonly output: Output
  /** Gets the input as it was sent, once it is known to be valid. */
  readonly run: (input: Input["Encoded"]) => Effect.Effect<JsonObject, Refused, HttpClient>
}

/** Arguments are located like the body of a request of the API. */
const ROOT = ["body"]

/** Arguments with more values are answered with their first problem: finding all of them blocks the event loop. */
const MAX_VALUES = 1_000

const isSmall = (given: unknown): boolean => {
  let left = MAX_VALUES
  const counts = (value: unknown): boolean =>
    --left >= 0 && (typeof value !== "object" || value === null || Object.values(value).every(counts))
  return counts(given)
}

export const tool = <Input extends Schema.Codec<unknown, unknown>, Output extends Schema.Constraint>(
  { idempotent = true, input, output, run, writes = false, ...described }: Definition<Input, Output>
): Tool => {
  const findAll = part(input, ROOT, STRICT)
  const findFirst = part(input, ROOT, { ...STRICT, errors: "first" })
  return {
    ...described,
    writes,
    idempotent,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    check: (given) =>
      Effect.suspend(() => {
        const checked = isSmall(given) ? findAll(given) : findFirst(given)
        return Result.isSuccess(checked) ? Effect.void : Effect.fail(new Refused({ body: { detail: checked.failure } }))
      }),
    run: (given) => run(given as Input["Encoded"])
  }
}
