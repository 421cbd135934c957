import { createHash } from "node:crypto"

const MAX = 512
const KEPT = 440

/** Of what stands at `path` in a resource. One that would be too long ends in a digest instead. */
export const externalId = (resource: string, path: string): string => {
  const id = `${resource}/${path}`.toWellFormed().replaceAll("\0", "\ufffd")
  if (id.length <= MAX) return id
  return `${id.slice(0, KEPT).toWellFormed()}…${createHash("sha256").update(id).digest("hex").slice(0, 32)}`
}
