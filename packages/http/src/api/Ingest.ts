/** Pushing items through a custom connector: generic JSON, text, typed payloads, or a file. */
import { FileItem, IngestResult, JsonItems, TextItems, TypedItems } from "@tributary/core/model/Ingest"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope, Validation } from "./Access.ts"
import { described } from "./Described.ts"
import * as ErrorBody from "./ErrorBody.ts"

const params = { connector_id: Schema.String }

const error = [
  ErrorBody.BadRequest,
  ErrorBody.QuotaExceeded,
  ErrorBody.ConnectorNotFound,
  ...ErrorBody.bodyErrors
] as const

export class Ingest extends HttpApiGroup.make("ingest").add(
  HttpApiEndpoint.post("ingestJson", "/ingest", { params, payload: JsonItems, success: IngestResult, error })
    .annotateMerge(described(
      "Ingest JSON",
      "Any JSON, as kind `custom`: every string within becomes text to search. The same `external_id` again replaces the document. All admitted items are stored before this answers; those over a cap are in `rejected`."
    )),
  HttpApiEndpoint.post("ingestText", "/ingest/text", { params, payload: TextItems, success: IngestResult, error })
    .annotateMerge(described(
      "Ingest texts",
      "Plain text, Markdown or HTML, as kind `custom`."
    )),
  HttpApiEndpoint.post("ingestTyped", "/ingest/typed", { params, payload: TypedItems, success: IngestResult, error })
    .annotateMerge(described(
      "Ingest typed items",
      "`payload.kind` says which fields are read for title and text; other fields are kept as sent."
    )),
  HttpApiEndpoint.post("ingestFile", "/ingest/typed/upload", {
    params,
    payload: FileItem.pipe(HttpApiSchema.asMultipart()),
    success: IngestResult,
    error
  })
    .annotateMerge(described(
      "Ingest a file",
      "One file as one document: plain text, Markdown, HTML, JSON or CSV in UTF-8, PDF, DOCX, EML or ICS. `payload` and `metadata` are JSON text; `payload` needs no `kind`. A field that is left empty counts as not sent. A file that is rejected is always a 402."
    ))
).annotateEndpoints(RequiredScope, ["custom_connectors:ingest"])
  .prefix("/v1/custom-connectors/:connector_id").middleware(Validation).middleware(Authorization)
{}
