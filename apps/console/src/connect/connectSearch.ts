/** What the page's address keeps: what is connected, and with which key. */
import { textsIn } from "../shell/address.ts"

export interface ConnectSearch {
  readonly with?: string
  readonly key?: string
}

export const connectSearchOf = (query: Record<string, unknown>): ConnectSearch => textsIn(query, "with", "key")
