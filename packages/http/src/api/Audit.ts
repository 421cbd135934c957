/** The audit log of the workspace; for the personal workspace, of the account. */
import { AuditEntry } from "@tributary/core/model/AuditEntry"
import { nextPage } from "@tributary/core/model/Page"
import { text } from "@tributary/core/model/Text"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

export class Audit extends HttpApiGroup.make("audit").add(
  /**
   * Read the audit log. Who did what in the workspace, and from where, newest first; with a key of the personal
   * workspace, in the whole account. Entries are kept for a year. Read until `next_cursor` is null: where little
   * matches, a page may have fewer entries than its `limit`. `api:read` does not cover this.
   */
  HttpApiEndpoint.get("listAuditLog", "/audit-log", {
    query: {
      ...Parameters.longPaging,
      /** Only these actions, separated by commas; `session` means all that begin with `session.`. */
      action: Schema.optionalKey(text(1, 1_000)),
      /** Only what the user or key with this id did. */
      actor: Schema.optionalKey(text(1, 300)),
      /** Only what was done to what has this id. */
      subject: Schema.optionalKey(text(1, 1_000)),
      /** Only what was done at this moment or later. */
      from: Schema.optionalKey(ClientTimestamp),
      /** Only what was done before this moment. */
      to: Schema.optionalKey(ClientTimestamp),
      /** Words, each of which occurs in the entry; ASCII letters in either case. */
      q: Schema.optionalKey(text(1, 1_000)),
      /** Whether the first page leaves an entry that the log was exported. */
      export: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Struct({
      /** Newest first. Where little matches, a page may be short, or empty, and not be the last. */
      entries: Schema.Array(AuditEntry),
      ...nextPage
    }),
    error: ErrorBody.NotFound
  }).annotate(RequiredScope, ["audit:read"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
