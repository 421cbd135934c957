/** Facts about the last answer to a call that its schema does not contain; errors report them. */
import { Context } from "effect"

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

/** Filled in by the calls that it is provided to. */
export const LastResponse = Context.Reference<LastResponse | null>("@tributary/client/LastResponse", {
  defaultValue: () => null
})

export const noResponse = (): LastResponse => ({
  status: null,
  url: null,
  requestId: null,
  retryAfter: null,
  refusal: null
})
