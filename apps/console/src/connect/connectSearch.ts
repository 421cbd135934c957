/** What the page's address keeps: what is connected, and with which key. */
export interface ConnectSearch {
  readonly with?: string
  readonly key?: string
}

export const connectSearchOf = (query: Record<string, unknown>): ConnectSearch => ({
  ...(typeof query["with"] === "string" ? { with: query["with"] } : {}),
  ...(typeof query["key"] === "string" ? { key: query["key"] } : {})
})
