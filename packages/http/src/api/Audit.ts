/** The audit log of the workspace; for the personal workspace, of the account. */
import { AuditEntry } from "@tributary/core/model/AuditEntry"
import { text } from "@tributary/core/model/Text"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Audit extends HttpApiGroup.make("audit").add(
  HttpApiEndpoint.get("listAuditLog", "/audit-log", {
    query: {
      ...Parameters.longPaging,
      action: Schema.optionalKey(text(1, 1_000)),
      actor: Schema.optionalKey(text(1, 300)),
      subject: Schema.optionalKey(text(1, 1_000)),
      from: Schema.optionalKey(ClientTimestamp),
      to: Schema.optionalKey(ClientTimestamp),
      q: Schema.optionalKey(text(1, 1_000)),
      export: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Struct({ entries: Schema.Array(AuditEntry), next_cursor: Schema.NullOr(Schema.String) }),
    error: ErrorBody.NotFound
  }).annotate(RequiredScope, ["audit:read"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
