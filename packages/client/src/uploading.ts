/** A file and its fields as a multipart form. */
import type { FileItem } from "@tributary/core/model/Ingest"
import { newId } from "./newId.ts"

/** The name of a `File` is sent along; it helps to detect the format. */
export interface Upload extends Omit<FileItem, "file"> {
  readonly file: Blob
}

/** Has an id before its first attempt, so that a file whose answer was lost is not stored twice. */
export const formOf = ({ external_id, file, kind, metadata, payload, timestamp }: Upload): FormData => {
  const form = new FormData()
  form.append("file", file)
  form.append("external_id", external_id ?? newId())
  if (kind) form.append("kind", kind)
  if (timestamp) form.append("timestamp", timestamp.toISOString())
  if (metadata) form.append("metadata", JSON.stringify(metadata))
  if (payload) form.append("payload", JSON.stringify(payload))
  return form
}
