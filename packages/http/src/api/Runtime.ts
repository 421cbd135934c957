/** The workspace's events, oldest first. */
import { Event } from "@tributary/core/model/Document"
import { filterWarnings, nextPage } from "@tributary/core/model/Page"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { StreamedEvents, WORKSPACE_EVENTS } from "./StreamedEvents.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Runtime extends HttpApiGroup.make("runtime").add(
  /**
   * List events. The ingested and deleted documents of the last 90 days, oldest first. With `Accept: text/event-stream`
   * a live stream from now on, or from after `Last-Event-ID`.
   */
  HttpApiEndpoint.get("listEvents", "/events", {
    query: {
      ...Parameters.paging,
      /**
       * Only events of this source: `custom:<source_name>`, `<provider>:<connection_id>`, or only the part before
       * the colon.
       */
      source: Schema.optionalKey(Schema.String),
      /** Only events of documents of this kind. */
      kind: Schema.optionalKey(Schema.String),
      /** Only events of this document. */
      document_id: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({
      /** The events, oldest first. */
      events: Schema.Array(Event),
      ...nextPage,
      ...filterWarnings
    }),
    error: ErrorBody.RateLimitExceeded
  }).annotate(RequiredScope, ["runtime:read"]).annotate(TokenAccess, "filtered").annotate(
    StreamedEvents,
    WORKSPACE_EVENTS
  )
).prefix("/v1/runtime").middleware(Validation).middleware(Authorization) {}
