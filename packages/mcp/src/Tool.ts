/** One tool: its description for a model, its scopes, and its implementation. */
import type { FineScope } from "@tributary/core/model/Scope"
import { Effect, Schema, SchemaIssue } from "effect"
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
  readonly writes: boolean
  readonly destructive: boolean
  /** The same call again changes nothing more. */
  readonly idempotent: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Fails if the arguments are invalid. */
  readonly check: (given: unknown) => Effect.Effect<void, Refused>
  /** For valid arguments. */
  readonly run: (given: unknown) => Effect.Effect<JsonObject, Refused, HttpClient>
}

interface Definition<Input extends Schema.Codec<unknown, unknown>, Output extends Schema.Constraint>
  extends Pick<Tool, "name" | "title" | "description" | "scopes">
{
  readonly writes?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly input: Input
  /** At least these fields: the API may add others. */
  readonly output: Output
  /** Gets the input as it was sent, once it is known to be valid. */
  readonly run: (input: Input["Encoded"]) => Effect.Effect<JsonObject, Refused, HttpClient>
}

const issues = SchemaIssue.makeFormatterStandardSchemaV1()

const invalid = ({ issue }: Schema.SchemaError): Refused =>
  new Refused({
    body: {
      detail: issues(issue).issues.slice(0, 20).map(({ message, path = [] }) => ({
        loc: path.map((key) => typeof key === "number" ? key : String(key)),
        msg: message
      }))
    }
  })

/** Arguments with more values are answered with their first problem: finding all of them blocks the event loop. */
const MOST_VALUES = 1_000

const isSmall = (given: unknown): boolean => {
  let left = MOST_VALUES
  const counts = (value: unknown): boolean =>
    --left >= 0 && (typeof value !== "object" || value === null || Object.values(value).every(counts))
  return counts(given)
}

export const tool = <Input extends Schema.Codec<unknown, unknown>, Output extends Schema.Constraint>(
  { destructive = false, idempotent = true, input, output, run, writes = false, ...described }: Definition<
    Input,
    Output
  >
): Tool => {
  const decode = Schema.decodeUnknownEffect(input, { errors: "first", onExcessProperty: "error" })
  const decodeForAll = Schema.decodeUnknownEffect(input, { errors: "all", onExcessProperty: "error" })
  return {
    ...described,
    writes,
    destructive,
    idempotent,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    check: (given) =>
      decode(given).pipe(
        Effect.catchTag("SchemaError", (first) => isSmall(given) ? decodeForAll(given) : Effect.fail(first)),
        Effect.mapError(invalid),
        Effect.asVoid
      ),
    run: (given) => run(given as Input["Encoded"])
  }
}
