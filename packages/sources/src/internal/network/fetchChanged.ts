/** Fetches what is published at an address, unless it is still the version that the last sync got. */
import { Schema } from "effect"
import type { WebClient, WebRequest } from "./webClient.ts"

/** The fields of a cursor that name a version. */
export const WebVersion = { etag: Schema.NullOr(Schema.String), modified: Schema.NullOr(Schema.String) }
export type WebVersion = Schema.Struct.Type<typeof WebVersion>

export const NO_VERSION: WebVersion = { etag: null, modified: null }

/** Null if it is unchanged. */
export const fetchChanged = async (client: WebClient, request: WebRequest, { etag, modified }: WebVersion) => {
  const conditions = {
    ...(etag ? { "if-none-match": etag } : {}),
    ...(modified ? { "if-modified-since": modified } : {})
  }
  // A request without a condition cannot be answered so.
  const accepts = Object.keys(conditions).length === 0 ? [] : [304]
  const answer = await client({ ...request, headers: { ...request.headers, ...conditions }, accepts })
  if (answer.status === 304) return null
  const { headers } = answer
  return { answer, version: { etag: headers.get("etag"), modified: headers.get("last-modified") } }
}
