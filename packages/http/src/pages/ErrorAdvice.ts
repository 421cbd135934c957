/** What each error means and what to do about it. `docs/errors.md` has more detail. */
import type { ErrorCode } from "../api/ErrorBody.ts"

interface Advice {
  readonly title: string
  readonly text: string
}

export const ADVICE: Readonly<Record<ErrorCode, Advice>> = {
  bad_request: {
    title: "The request cannot be carried out",
    text: "The request is valid, but cannot be carried out. The message says why; the same request will fail again."
  },
  authentication_error: {
    title: "Invalid or missing credentials",
    text: "Send one Authorization header: Bearer, a blank, and an API key that is neither revoked nor expired."
  },
  quota_exceeded: {
    title: "The plan's quota is used up",
    text:
      "Nothing was ingested. Retrying does not help: delete documents or move to a larger plan. details.rejected lists the items."
  },
  permission_denied: {
    title: "Not permitted",
    text: "The credentials are valid, but may not do this. A suspended workspace answers this way, too."
  },
  insufficient_scopes: {
    title: "A scope is missing",
    text: "details.missing_scopes names what is missing. Create a key that has it; the scopes of a key never change."
  },
  client_not_found: {
    title: "No such custom connector",
    text: "The workspace of this API key has no custom connector with this id."
  },
  connection_not_found: {
    title: "No such connection",
    text:
      "The workspace of this API key has no connection with this id, or the connection has no resource of this name."
  },
  webhook_not_found: {
    title: "No such webhook",
    text: "The workspace of this API key has no webhook with this id, or the webhook has no delivery of this event."
  },
  document_not_found: {
    title: "No such document",
    text: "The workspace of this API key has no document with this id. It may have been deleted."
  },
  job_not_found: {
    title: "No such ask job",
    text: "The workspace of this API key has no ask job with this id. Jobs are kept for 30 days."
  },
  question_not_found: {
    title: "No such question",
    text:
      "The workspace of this API key has no question with this id. Questions are kept for 30 days, or not at all where the service is set so."
  },
  not_found: {
    title: "Nothing here",
    text: "No operation has this path. Paths are case-sensitive and have no trailing slash."
  },
  method_not_allowed: {
    title: "Wrong method",
    text: "The path exists, but not with this method. The Allow header lists those it has."
  },
  request_timeout: {
    title: "The request took too long to arrive",
    text: "The connection is closed. Send the request again, whole and without pauses."
  },
  conflict: {
    title: "What was confirmed is no longer so",
    text: "Nothing was deleted. details.total is the present number: look again, and confirm that."
  },
  payload_too_large: {
    title: "The body is too large",
    text:
      "Each operation names the largest body that it takes, and a body may hold a million values, an item of a list 100,000, and one object 20,000 keys. Split the items over several requests."
  },
  unsupported_media_type: {
    title: "The body has an unsupported media type",
    text: "Send JSON as application/json in UTF-8, and a file as multipart/form-data, both without a content encoding."
  },
  unprocessable_entity: {
    title: "Against a rule",
    text:
      "The request has the right form, but a rule forbids it: a name that is taken, or an allowance that is used up. The message says which."
  },
  rate_limit_exceeded: {
    title: "Too many requests",
    text:
      "The operation's window is used up for this workspace, or too much of its documents has changed within a day. Wait as many seconds as Retry-After says, then retry; with bursts, back off exponentially and with jitter."
  },
  headers_too_large: {
    title: "The head of the request is too large",
    text: "Path, query and headers may have 16 KiB together. The connection is closed. Send fewer or shorter headers."
  },
  internal_server_error: {
    title: "An unexpected error",
    text: "The fault is the service's. Report the details.request_id to its operator."
  },
  service_unavailable: {
    title: "Not available now",
    text: "The service cannot answer at the moment. Wait as many seconds as Retry-After says, then retry."
  }
}
