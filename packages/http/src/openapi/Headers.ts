/** The headers of requests and responses. */
import type { JsonObject } from "./Json.ts"

const header = (description: string, schema: JsonObject, example: string | number, required = true): JsonObject => ({
  description,
  required,
  schema,
  example
})

const whole: JsonObject = { type: "integer", minimum: 0 }
const text: JsonObject = { type: "string" }

/** Response headers by component name. */
export const HEADERS = {
  RequestId: header("Names this request in the log of the service.", text, "0d5a4f3e-8f5b-4c8e-9a51-6d7f0b6f2c11"),
  WwwAuthenticate: header("The scheme to send credentials in.", { type: "string", const: "Bearer" }, "Bearer"),
  RetryAfter: header("Seconds to wait before the next attempt.", { type: "integer", minimum: 1 }, 12),
  Location: header(
    "Where the job can be read.",
    { type: "string", format: "uri-reference" },
    "/v1/knowledge/ask/jobs/7b0c1f52-3f0e-4d0b-8f0e-2f4b8f6f3a10"
  ),
  QuestionId: header(
    "Names the question in the list of questions. Absent where questions are not kept.",
    text,
    "0199d3a0-5b7e-7c2f-9a31-3f1f0c6f2f55",
    false
  ),
  RateLimitLimit: header("Requests per window. Absent where the plan has no limit.", whole, 5, false),
  RateLimitRemaining: header("Requests left in the window.", whole, 4, false),
  RateLimitReset: header("Seconds until the window rolls over.", whole, 60, false),
  RateLimitPolicy: header("`<limit>;w=<seconds of the window>`.", text, "5;w=60", false)
} as const

type HeaderName = keyof typeof HEADERS

const WIRE_NAMES: Readonly<Record<HeaderName, string>> = {
  RequestId: "X-Request-Id",
  WwwAuthenticate: "WWW-Authenticate",
  RetryAfter: "Retry-After",
  Location: "Location",
  QuestionId: "X-Question-Id",
  RateLimitLimit: "RateLimit-Limit",
  RateLimitRemaining: "RateLimit-Remaining",
  RateLimitReset: "RateLimit-Reset",
  RateLimitPolicy: "RateLimit-Policy"
}

const RATE: ReadonlyArray<HeaderName> = ["RateLimitLimit", "RateLimitRemaining", "RateLimitReset", "RateLimitPolicy"]

const OF_STATUS: ReadonlyMap<number, ReadonlyArray<HeaderName>> = new Map([
  [202, ["Location"]],
  [401, ["WwwAuthenticate"]],
  [429, ["RetryAfter", ...RATE]],
  [503, ["RetryAfter"]]
])

/** In addition to those of every response with this status. */
const OF_ANSWER: ReadonlyMap<string, ReadonlyArray<HeaderName>> = new Map([["ask 200", ["QuestionId"]]])

/** The headers of a response; a limited operation also has rate-limit headers on success. */
export const headersOf = (operation: string, status: number, limited: boolean): JsonObject => {
  const names: ReadonlyArray<HeaderName> = [
    "RequestId",
    ...OF_STATUS.get(status) ?? [],
    ...OF_ANSWER.get(`${operation} ${status}`) ?? [],
    ...(limited && status < 300 ? RATE : [])
  ]
  return Object.fromEntries(names.map((name) => [WIRE_NAMES[name], { $ref: `#/components/headers/${name}` }]))
}

const sent = (name: string, description: string, schema: JsonObject, example: string): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
  example
})

/** Request headers by component name. */
export const HEADER_PARAMETERS: JsonObject = {
  RequestId: sent(
    "X-Request-Id",
    "A name of the client's own for this request; the answer carries it, too. Other values are passed over.",
    { type: "string", minLength: 1, maxLength: 128, pattern: "^[!-~]+$" },
    "import-2026-02-01"
  ),
  Prefer: sent(
    "Prefer",
    "`respond-async` asks for a job instead of waiting for the answer.",
    text,
    "respond-async"
  ),
  LastEventId: sent(
    "Last-Event-ID",
    "For a stream: resume after this event.",
    text,
    "01890000-0000-7000-8000-000000000000"
  )
}

const OF_OPERATION: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["ask", ["Prefer"]],
  ["listEvents", ["LastEventId"]]
])

/** References to the request headers of an operation. */
export const headerParametersOf = (operation: string): ReadonlyArray<JsonObject> =>
  ["RequestId", ...OF_OPERATION.get(operation) ?? []].map((name) => ({ $ref: `#/components/parameters/${name}` }))
