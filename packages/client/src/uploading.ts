/** A file and its fields as a multipart form. */
import type { FileItem } from "@tributary/core/model/Ingest"
import type { Given } from "./requests/Given.ts"
import { newId } from "./newId.ts"
import { checkNames, type Names } from "./optionNames.ts"

/** The name of a `File` is sent along; it helps to detect the format. */
export interface Upload extends Given<Omit<FileItem, "file">> {
  readonly file: Blob
}

const UPLOAD: Names<Upload> = {
  file: true,
  kind: true,
  external_id: true,
  timestamp: true,
  metadata: true,
  payload: true
}

/** Has an id before its first attempt, so that a file whose answer was lost is not stored twice. */
export const formOf = (upload: Upload): FormData => {
  checkNames(UPLOAD, upload)
  const { external_id, file, kind, metadata, payload, timestamp } = upload
  const form = new FormData()
  form.append("file", file)
  form.append("external_id", external_id ?? newId())
  if (kind) form.append("kind", kind)
  if (timestamp) form.append("timestamp", timestamp.toISOString())
  if (metadata) form.append("metadata", JSON.stringify(metadata))
  if (payload) form.append("payload", JSON.stringify(payload))
  return form
}
