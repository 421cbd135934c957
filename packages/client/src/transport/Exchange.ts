/** What the last answer to a call was, beyond what its schema reads: failures tell it to the one who has to find them. */
import { Context } from "effect"

export interface Exchange {
  status: number | null
  requestId: string | null
  /** Seconds after which the service wants to be asked again. */
  retryAfter: number | null
}

/** Filled in by the calls that it is provided to. */
export const Exchange = Context.Reference<Exchange | null>("@tributary/client/Exchange", { defaultValue: () => null })

export const noExchange = (): Exchange => ({ status: null, requestId: null, retryAfter: null })
