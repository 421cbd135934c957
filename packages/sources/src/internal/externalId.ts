import { MAX_EXTERNAL_ID } from "@tributary/core/model/Ingest"
import { createHash } from "node:crypto"
import { storable } from "./storable.ts"

const KEPT = 440

/** How the external ids of everything in a folder begin. Its own path is empty for the resource itself. */
export const externalIdsIn = (resource: string, folder: string): string =>
  storable(folder === "" ? `${resource}/` : `${resource}/${folder}/`).slice(0, KEPT - 1)

/** The external id of `path` in a resource. A long one ends in a digest. */
export const externalId = (resource: string, path: string): string => {
  const id = storable(`${resource}/${path}`)
  if (id.length <= MAX_EXTERNAL_ID) return id
  return `${id.slice(0, KEPT).toWellFormed()}…${createHash("sha256").update(id).digest("hex").slice(0, 32)}`
}
