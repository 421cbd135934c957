/**
 * The OpenAPI documents of the public API and of the operator API, generated from the definitions and corrected where
 * the generator is imprecise.
 */
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../api/Api.ts"
import { operationsOf } from "../api/operationsOf.ts"
import { OperatorApi } from "../api/OperatorApi.ts"
import { DESCRIPTIONS, withDescriptions } from "./Descriptions.ts"
import { EXAMPLES } from "./Examples.ts"
import { failureExamples } from "./Failures.ts"
import { HEADER_PARAMETERS, HEADERS } from "./Headers.ts"
import { type Example, type JsonObject, mapValues, objectAt } from "./Json.ts"
import { type Named, operationOf } from "./Operations.ts"
import { OPERATOR_EXAMPLES } from "./OperatorExamples.ts"
import { openedComponents, withPreciseSchemas } from "./Schemas.ts"

interface Words {
  readonly title: string
  readonly description: string
  readonly examples: Readonly<Record<string, Example>>
  readonly credential: string
}

const COMMON = [
  "Every error is `{error_code, message, details}`, but for two: a request of the wrong form is answered with `{detail}`, a list of everything that is wrong, and a spent rate window with a problem document (RFC 9457). `/errors/{code}` explains each code.",
  "An unknown path is answered with 404 `not_found`, another method than those listed with 405 `method_not_allowed` and the header `Allow`. HEAD is answered as GET, without the body. Unknown query parameters are ignored.",
  "Before its path is known, a request that is not valid HTTP is answered with 400 `bad_request`, one that takes more than a minute to arrive with 408 `request_timeout`, and one whose path, query and headers are larger than 16 KiB with 431 `headers_too_large`.",
  "Timestamps are ISO 8601 in UTC with milliseconds. Answers may gain fields, and never lose or change any."
].join("\n\n")

const PUBLIC: Words = {
  title: "Tributary",
  description:
    `A knowledge service: push documents, search them, and ask questions that are answered with citations.\n\n${COMMON}`,
  examples: EXAMPLES,
  credential:
    "An API key of a workspace: `pk_live_` and 43 letters and digits. Each operation names the scope that it needs."
}

const OPERATOR: Words = {
  title: "Tributary, for operators",
  description: `Accounts, workspaces, plans and keys, for the operators of the service.\n\n${COMMON}`,
  examples: OPERATOR_EXAMPLES,
  credential: "The operator's token."
}

const license = { name: "MIT", identifier: "MIT" }

const withoutEmpty = (components: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(components).filter(([, value]) => Object.keys(value as JsonObject).length > 0))

/** Removes the entries of `kept` that nothing in the document refers to. */
const referredTo = (kept: JsonObject, kind: string, text: string): JsonObject =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))

const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  words: Words,
  baseUrl: string
): JsonObject => {
  const generated = withPreciseSchemas(OpenApi.fromApi(api) as unknown as JsonObject)
  const components = objectAt(generated, "components")
  const endpoints = new Map(operationsOf(api).map(({ endpoint }) => [endpoint.identifier, endpoint]))
  const named: Named = new Map()
  const paths = mapValues(objectAt(generated, "paths"), (item) =>
    mapValues(item as JsonObject, (operation) => {
      const name = String((operation as JsonObject)["operationId"]).split(".").at(-1)!
      return operationOf(operation as JsonObject, endpoints.get(name)!, words.examples[name], named)
    }))
  const text = JSON.stringify(paths)
  return {
    openapi: "3.1.0",
    info: { title: words.title, version: "0.1.0", description: words.description, license },
    servers: [{ url: baseUrl }],
    tags: (generated["tags"] as ReadonlyArray<JsonObject>).map(({ name }) => ({
      name: name!,
      description: DESCRIPTIONS.groups[String(name)] ?? ""
    })),
    paths,
    components: withoutEmpty({
      schemas: withDescriptions({ ...openedComponents(objectAt(components, "schemas")), ...Object.fromEntries(named) }),
      parameters: referredTo(HEADER_PARAMETERS, "parameters", text),
      headers: referredTo(HEADERS, "headers", text),
      examples: referredTo(failureExamples(baseUrl), "examples", text),
      securitySchemes: mapValues(objectAt(components, "securitySchemes"), () => ({
        type: "http",
        scheme: "bearer",
        description: words.credential
      }))
    })
  }
}

export const openApiDocument = (baseUrl: string): JsonObject => make(Api, PUBLIC, baseUrl)

export const operatorDocument = (baseUrl: string): JsonObject => make(OperatorApi, OPERATOR, baseUrl)
