/** The description of failures: the meaning of each code, and one example body. */
import { type ErrorCode, rateLimitProblem, STATUS } from "../api/ErrorBody.ts"
import { ADVICE } from "../pages/ErrorAdvice.ts"
import { isObject, type Json, type JsonObject, objectAt } from "./Json.ts"
import { nameOf } from "./Schemas.ts"

const DETAILS: Readonly<Partial<Record<ErrorCode, Json>>> = {
  quota_exceeded: { rejected: [{ external_id: "note-1", resource: "storage", reason: "quota_exceeded" }] },
  insufficient_scopes: { missing_scopes: ["knowledge:read"] },
  conflict: { total: 13 },
  internal_server_error: { request_id: "0d5a4f3e-8f5b-4c8e-9a51-6d7f0b6f2c11" }
}

const SPENT = { endpoint: "ask", limit: 5, remaining: 0, window_seconds: 60, retry_after: 12 } as const

const VALIDATION: JsonObject = {
  detail: [{
    type: "int_parsing",
    loc: ["query", "limit"],
    msg: "Input should be a valid integer, unable to parse string as an integer",
    input: "many"
  }]
}

const body = (code: ErrorCode): JsonObject => ({
  error_code: code,
  message: ADVICE[code].title,
  details: DETAILS[code] ?? null
})

/** One body of every failure, by schema name. */
export const failureExamples = (baseUrl: string): JsonObject => ({
  ...Object.fromEntries(
    (Object.keys(STATUS) as Array<ErrorCode>).map((code) => [
      code,
      { value: code === "rate_limit_exceeded" ? rateLimitProblem(SPENT, baseUrl) : body(code) }
    ])
  ),
  validation_error: { value: VALIDATION }
})

/** Schema names of failures that differ from their codes. */
const CODES: Readonly<Record<string, string>> = {
  RateLimitProblem: "rate_limit_exceeded",
  ValidationErrorBody: "validation_error"
}

const namesIn = (schema: Json | undefined): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  const name = nameOf(schema)
  if (name !== undefined) return [name]
  return ((schema["anyOf"] ?? schema["oneOf"] ?? []) as ReadonlyArray<Json>).flatMap(namesIn)
}

const titleOf = (code: string): string =>
  code === "validation_error"
    ? "The form of path, query or body is wrong; everything that is wrong is listed"
    : ADVICE[code as ErrorCode].title

/** The response of a failure with its description and an example of each body. */
export const explainedFailure = (response: JsonObject): JsonObject => {
  const content = objectAt(response, "content")
  const [type = "application/json"] = Object.keys(content)
  const media = objectAt(content, type)
  const codes = namesIn(media["schema"]).map((name) => CODES[name] ?? name)
  return {
    ...response,
    description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join(" "),
    content: {
      [type]: {
        ...media,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      }
    }
  }
}
