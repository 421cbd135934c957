/** One operation of the document: adds what the generator leaves out. */
import { Context, type SchemaAST } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Limited, RequiredOperatorScope, RequiredScope } from "../api/Access.ts"
import { BodyLimit, sizeText } from "../api/BodyLimit.ts"
import { StreamedEvents } from "../api/StreamedEvents.ts"
import { sentAs } from "@tributary/core/validation/wrongType"
import { DESCRIPTIONS, explainedParameter } from "./Descriptions.ts"
import { explainedFailure } from "./Failures.ts"
import { headerParametersOf, headersOf } from "./Headers.ts"
import { type Example, isObject, type Json, type JsonObject, mapValues, objectAt } from "./Json.ts"
import { isInline, openObjects, reference } from "./Schemas.ts"

/** Query parameters are text; the described type is declared beside each of them. */
const queryTypes = (query: SchemaAST.AST | undefined): ReadonlyMap<string, Json> =>
  new Map(
    (query?._tag === "Objects" ? query.propertySignatures : []).flatMap(({ name, type }) => {
      const wireType = sentAs(type).annotations?.["wireType"]
      return wireType === undefined ? [] : [[String(name), wireType as Json] as const]
    })
  )

const parametersOf = (operation: JsonObject, name: string, endpoint: HttpApiEndpoint.Top): ReadonlyArray<Json> => {
  const types = queryTypes(endpoint.query?.ast)
  const stated = (operation["parameters"] ?? []) as ReadonlyArray<JsonObject>
  return [
    ...stated.filter((parameter) => parameter["in"] !== "header").map((parameter) =>
      explainedParameter({ ...parameter, schema: types.get(String(parameter["name"])) ?? parameter["schema"]! }, name)
    ),
    ...headerParametersOf(name)
  ]
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Names for anonymous schemas, so that generated code has names, too. */
export type Named = Map<string, Json>

/** Gives an inline schema of an operation a name. */
const hoisted = (schema: Json | undefined, name: string, named: Named): Json => {
  if (isInline(schema)) {
    named.set(name, schema)
    return reference(name)
  }
  // An optional body: its object or null.
  if (isObject(schema) && Array.isArray(schema["anyOf"])) {
    return { anyOf: (schema["anyOf"] as ReadonlyArray<Json>).map((member) => hoisted(member, name, named)) }
  }
  return schema ?? {}
}

const acceptsNull = (schema: Json | undefined): boolean =>
  isObject(schema) && Array.isArray(schema["anyOf"]) &&
  schema["anyOf"].some((member: Json) => isObject(member) && member["type"] === "null")

const passesOver = (endpoint: HttpApiEndpoint.Top): boolean =>
  Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)?.onExcessProperty === "ignore"

const requestOf = (
  body: JsonObject,
  name: string,
  endpoint: HttpApiEndpoint.Top,
  example: Example | undefined,
  named: Named
): JsonObject => {
  const content = mapValues(objectAt(body, "content"), (media) => {
    const { schema } = media as JsonObject
    const validated = passesOver(endpoint) ? openObjects(schema ?? {}) : schema
    return {
      schema: hoisted(validated, `${capitalized(name)}Request`, named),
      ...(example?.request === undefined ? {} : { example: example.request })
    }
  })
  const limit = Context.get(endpoint.annotations, BodyLimit)
  return {
    description: `At most ${sizeText(limit)}.`,
    "x-max-bytes": limit,
    required: !Object.values(content).every((media) => acceptsNull((media as JsonObject)["schema"])),
    content
  }
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: the job, which Location names, will hold the answer."
}

/** The response as server-sent events, for operations that have one. */
const streamOf = (endpoint: HttpApiEndpoint.Top): JsonObject | undefined => {
  const events = Context.get(endpoint.annotations, StreamedEvents)
  if (events === null) return undefined
  const names = [...events.keys()]
  return {
    schema: {
      type: "string",
      description: `Server-sent events whose data is JSON: ${names.map((name) => `\`${name}\``).join(", ")}.`
    },
    example: `event: ${names[0]}\ndata: {}\n\n`
  }
}

const successOf = (
  response: JsonObject,
  status: number,
  endpoint: HttpApiEndpoint.Top,
  example: Example | undefined,
  named: Named
): JsonObject => {
  const json = objectAt(objectAt(response, "content"), "application/json")
  const stream = status === 200 ? streamOf(endpoint) : undefined
  const answer = example?.answers[status]
  return {
    description: SUCCESS[status] ?? "Done.",
    content: {
      "application/json": {
        schema: hoisted(openObjects(json["schema"] ?? {}), `${capitalized(endpoint.identifier)}Response`, named),
        ...(answer === undefined ? {} : { example: answer })
      },
      ...(stream && { "text/event-stream": stream })
    }
  }
}

const securityOf = (operation: JsonObject, scopes: ReadonlyArray<string>): ReadonlyArray<Json> => {
  const [requirement = {}] = (operation["security"] ?? []) as ReadonlyArray<JsonObject>
  const alternatives = scopes.length === 0 ? [[]] : scopes.map((scope) => [scope])
  return alternatives.map((needed) => mapValues(requirement, () => needed))
}

const sentences = (
  description: string,
  endpoint: HttpApiEndpoint.Top,
  scopes: ReadonlyArray<string>
): string => {
  const limited = Context.get(endpoint.annotations, Limited)
  return [
    description,
    ...(scopes.length === 0 ? [] : [`Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`]),
    ...(limited === null ? [] : [`Draws from the rate window \`${limited}\` of the workspace.`])
  ].join("\n\n")
}

export const operationOf = (
  operation: JsonObject,
  endpoint: HttpApiEndpoint.Top,
  example: Example | undefined,
  named: Named
): JsonObject => {
  const name = endpoint.identifier
  const operator = Context.get(endpoint.annotations, RequiredOperatorScope)
  const scopes = [...Context.get(endpoint.annotations, RequiredScope), ...(operator === null ? [] : [operator])]
  const limited = Context.get(endpoint.annotations, Limited) !== null
  const { description = "", summary = "" } = DESCRIPTIONS.operations[name] ?? {}
  const body = operation["requestBody"]
  return {
    operationId: name,
    summary,
    description: sentences(description, endpoint, scopes),
    tags: operation["tags"]!,
    security: securityOf(operation, scopes),
    parameters: parametersOf(operation, name, endpoint),
    ...(isObject(body) && { requestBody: requestOf(body, name, endpoint, example, named) }),
    responses: mapValues(objectAt(operation, "responses"), (response, status) => ({
      ...(Number(status) < 300
        ? successOf(response as JsonObject, Number(status), endpoint, example, named)
        : explainedFailure(response as JsonObject)),
      headers: headersOf(name, Number(status), limited)
    }))
  }
}
