/** The OpenAPI document, made from the definition and corrected where the generator says more or less than is true. */
import type { SchemaAST } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./api/Api.ts"
import { sentAs } from "./middleware/Wording.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
interface JsonObject {
  readonly [key: string]: Json
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const pathOf = (path: string): string => path.replace(/:([^/]+)/g, "{$1}")

/** Requests in whose objects unknown fields are passed over. */
const LENIENT = ["/v1/custom-connectors", "/v1/custom-connectors/{connector_id}"]

/** Objects that take no other fields wherever they stand, as published. */
const CLOSED = ["KnowledgeTemporalSettings", "RelativeBound", "DateBound"]

/** The generator closes every object. Answers may grow, so only requests are closed, and of those not all. */
const opened = (value: Json, closed: boolean, lenient: boolean): Json => {
  if (Array.isArray(value)) return value.map((element: Json) => opened(element, closed, lenient))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => closed || key !== "additionalProperties" || inner !== false)
      .map(([key, inner]) => [
        key,
        opened(
          inner,
          closed || CLOSED.includes(key) || (key === "requestBody" && !lenient),
          lenient || LENIENT.includes(key)
        )
      ])
  )
}

const queryTypes = (query: SchemaAST.AST | undefined): ReadonlyMap<string, Json> =>
  new Map(
    (query?._tag === "Objects" ? query.propertySignatures : []).flatMap(({ name, type }) => {
      const wireType = sentAs(type).annotations?.["wireType"]
      return wireType === undefined ? [] : [[String(name), wireType as Json] as const]
    })
  )

/** Query parameters travel as text; what the text stands for is stated beside each of them. */
const withQueryTypes = (document: OpenApi.OpenAPISpec): void => {
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const types = queryTypes(endpoint.query?.ast)
      const item = document.paths[pathOf(endpoint.path)]
      const operation = item?.[endpoint.method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
      for (const parameter of operation?.parameters ?? []) {
        const type = types.get(parameter.name)
        if (type !== undefined) Object.assign(parameter, { schema: type })
      }
    }
  })
}

/** `client_not_foundEncoded` is how the generator names an error's body; whole numbers in headers are patterns to it. */
const polished = (text: string): string =>
  text
    .replace(/\b([a-z_]+)Encoded\b/g, "$1")
    .replace(/\{"type":"string","pattern":"\^\[\+-\][^"]*"\}/g, "{\"type\":\"integer\"}")

const make = (baseUrl: string): string => {
  const document = OpenApi.fromApi(Api.annotate(OpenApi.Servers, [{ url: baseUrl }]))
  withQueryTypes(document)
  return polished(JSON.stringify(opened(document as unknown as Json, false, false)))
}

const made = new Map<string, string>()

/** The document as JSON text; made when first asked for. */
export const openApiDocument = (baseUrl: string): string => {
  const known = made.get(baseUrl) ?? make(baseUrl)
  made.set(baseUrl, known)
  return known
}
