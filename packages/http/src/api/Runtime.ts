/** The workspace's events, oldest first. */
import { Event } from "@tributary/core/model/Document"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { EventStream, WORKSPACE_EVENTS } from "./EventStream.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Runtime extends HttpApiGroup.make("runtime").add(
  HttpApiEndpoint.get("listEvents", "/events", {
    query: {
      ...Parameters.paging,
      source: Schema.optionalKey(Schema.String),
      kind: Schema.optionalKey(Schema.String),
      document_id: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({ events: Schema.Array(Event), next_cursor: Schema.NullOr(Schema.String) }),
    error: ErrorBody.RateLimitExceeded
  }).annotate(RequiredScope, ["runtime:read"]).annotate(ForTokens, "narrowed").annotate(EventStream, WORKSPACE_EVENTS)
).prefix("/v1/runtime").middleware(Validation).middleware(Authorization) {}
