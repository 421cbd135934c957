/** The pages behind `/errors/{code}`: what an error means and what to do about it, for a person to read. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ErrorCode, STATUS } from "./api/ErrorBody.ts"

interface Advice {
  readonly title: string
  readonly text: string
}

const ADVICE: Readonly<Record<ErrorCode, Advice>> = {
  bad_request: {
    title: "The request cannot be carried out",
    text:
      "It has the right form, but cannot be done as it stands. The message says why; the same request will fail again."
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
    title: "The API key lacks a scope",
    text: "details.missing_scopes names what is missing. Create a key that has it; the scopes of a key never change."
  },
  client_not_found: {
    title: "No such custom connector",
    text: "The workspace of this API key has no custom connector with this id."
  },
  document_not_found: {
    title: "No such document",
    text: "The workspace of this API key has no document with this id. It may have been deleted."
  },
  job_not_found: {
    title: "No such ask job",
    text: "The workspace of this API key has no ask job with this id. Jobs are kept for 30 days."
  },
  not_found: {
    title: "Nothing here",
    text: "No operation has this path. Paths are case-sensitive and have no trailing slash."
  },
  method_not_allowed: {
    title: "Wrong method",
    text: "The path exists, but not with this method. The Allow header lists those it has."
  },
  payload_too_large: {
    title: "The body is too large",
    text: "A request body may have 32 MiB. Split the items over several requests."
  },
  unsupported_media_type: {
    title: "The body is not JSON",
    text: "Send the body as application/json in UTF-8, without a content encoding."
  },
  unprocessable_entity: {
    title: "Against a rule",
    text:
      "The request has the right form, but a rule forbids it: a name that is taken, or an allowance that is used up. The message says which."
  },
  rate_limit_exceeded: {
    title: "Too many requests",
    text:
      "The operation's window is used up for this workspace. Wait as many seconds as Retry-After says, then retry; with bursts, back off exponentially and with jitter."
  },
  internal_server_error: {
    title: "An unexpected error",
    text: "The fault is the service's. Tell whoever runs it the details.request_id."
  },
  service_unavailable: {
    title: "Not available now",
    text: "The service cannot answer at the moment. Wait as many seconds as Retry-After says, then retry."
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

const page = (code: ErrorCode, { text, title }: Advice): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${escaped(title)}</h1>
<p>Status ${STATUS[code]}, <code>error_code</code> <code>${escaped(code)}</code></p>
<p>${escaped(text)}</p>
</html>
`

const HEADERS = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" }

const PAGES: ReadonlyMap<string, HttpServerResponse.HttpServerResponse> = new Map(
  (Object.keys(STATUS) as Array<ErrorCode>).map((code) => [
    code,
    HttpServerResponse.text(page(code, ADVICE[code]), { contentType: "text/html; charset=utf-8", headers: HEADERS })
  ])
)

/** The page of a code; nothing for a code that does not exist. */
export const errorPage = (code: string | undefined): HttpServerResponse.HttpServerResponse | undefined =>
  PAGES.get(code ?? "")
