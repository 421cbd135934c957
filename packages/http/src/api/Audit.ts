/** The audit log of the workspace; for the personal workspace, of the account. */
import { AuditEntry } from "@tributary/core/model/AuditEntry"
import { nextPage } from "@tributary/core/model/Page"
import { text, Words } from "@tributary/core/model/Text"
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
   * workspace, in the whole account. Entries are kept for a year. Read until `next_cursor` is null: if few entries
   * match, a page can have fewer than `limit`. `api:read` does not include this.
   */
  HttpApiEndpoint.get("listAuditLog", "/audit-log", {
    query: {
      ...Parameters.longPaging,
      /** Only these actions, separated by commas. `session` means all that start with `session.`. */
      action: Schema.optionalKey(text(1, 1_000)),
      /** Only actions of the user or key with this id. */
      actor: Schema.optionalKey(text(1, 300)),
      /** Only changes to what has this id. */
      subject: Schema.optionalKey(text(1, 1_000)),
      /** Only entries from this time on. */
      from: Schema.optionalKey(ClientTimestamp),
      /** Only entries before this time. */
      to: Schema.optionalKey(ClientTimestamp),
      /** Words that must all appear in the entry. ASCII letters match in either case. */
      q: Schema.optionalKey(Words),
      /**
       * Whether this is an export, which the first page records in the log.
       * @default false
       */
      export: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Struct({
      /** The entries, newest first. If few entries match, a page can be short or empty without being the last. */
      entries: Schema.Array(AuditEntry),
      ...nextPage
    }),
    error: ErrorBody.NotFound
  }).annotate(RequiredScope, ["audit:read"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
