/** What one call of the promise client adds to its requests, and what it learns from their answers. */
import { Context, type Redacted } from "effect"

/** Facts about the last answer to a call that its schema does not contain; errors report them. */
export interface LastResponse {
  status: number | null
  /** The address that answered. */
  url: string | null
  requestId: string | null
  /** The seconds of `Retry-After`. */
  retryAfter: number | null
  /** The JSON of an error; null for another answer. */
  refusal: unknown
}

export const noResponse = (): LastResponse => ({
  status: null,
  url: null,
  requestId: null,
  retryAfter: null,
  refusal: null
})

export interface RequestContext {
  /** Sent in place of the client's own key. */
  readonly apiKey: Redacted.Redacted | null
  readonly headers: Readonly<Record<string, string>>
  /** Filled in with each answer. */
  readonly lastResponse: LastResponse | null
}

/** Empty for calls with Effect, which have the client's key and typed errors. */
export const RequestContext = Context.Reference<RequestContext>("@tributary/client/RequestContext", {
  defaultValue: () => ({ apiKey: null, headers: {}, lastResponse: null })
})
