/** Pushing items through a custom connector: JSON, text, typed payloads, or a file. */
import {
  FileItem,
  fileItemOf,
  IngestResult,
  JsonItems,
  TextItems,
  TypedItems,
  typedItemsOf
} from "@tributary/core/model/Ingest"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, PayloadByKinds, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, ITEMS } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"

const params = { connector_id: Schema.String }

const error = [
  ErrorBody.BadRequest,
  ErrorBody.QuotaExceeded,
  ErrorBody.ConnectorNotFound,
  ...ErrorBody.bodyErrors
] as const

export class Ingest extends HttpApiGroup.make("ingest").add(
  /**
   * Ingest JSON. Any JSON, as kind `custom`: every string in it is searchable. The same `external_id` again replaces
   * the document. All accepted items are stored before this answers; items over a cap are in `rejected`.
   */
  HttpApiEndpoint.post("ingestJson", "/ingest", { params, payload: JsonItems, success: IngestResult, error }),
  /** Ingest texts. Plain text, Markdown or HTML, as kind `custom`. */
  HttpApiEndpoint.post("ingestText", "/ingest/text", { params, payload: TextItems, success: IngestResult, error }),
  /**
   * Ingest typed items. `payload.kind` determines which fields become title and text; other fields are stored as sent.
   */
  HttpApiEndpoint.post("ingestTyped", "/ingest/typed", { params, payload: TypedItems, success: IngestResult, error })
    .annotate(PayloadByKinds, typedItemsOf),
  /**
   * Ingest a file. One file as one document: plain text, Markdown, HTML, XML, JSON or CSV, PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, RTF, EPUB, EML, MBOX, ICS, VCF, IPYNB or MHTML.
   * `payload` and `metadata` are JSON text; `payload` needs no `kind`. An empty field counts as absent. A rejected file
   * is always a 402.
   */
  HttpApiEndpoint.post("ingestFile", "/ingest/typed/upload", {
    params,
    payload: FileItem.pipe(HttpApiSchema.asMultipart()),
    success: IngestResult,
    error
  }).annotate(PayloadByKinds, fileItemOf)
).annotateEndpoints(RequiredScope, ["custom_connectors:ingest"]).annotateEndpoints(BodyLimit, ITEMS)
  .prefix("/v1/custom-connectors/:connector_id").middleware(Validation).middleware(Authorization)
{}
