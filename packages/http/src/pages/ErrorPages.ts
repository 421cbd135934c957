/** The pages of `/errors/{code}`: what an error means and what to do about it. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ErrorCode, STATUS } from "../api/ErrorBody.ts"
import { ADVICE } from "./ErrorAdvice.ts"
import { escaped, inline, page } from "./Html.ts"

const pageOf = (code: ErrorCode): HttpServerResponse.HttpServerResponse => {
  const { text, title } = ADVICE[code]
  return page(
    title,
    `<h1>${escaped(title)}</h1>
<p>Status ${STATUS[code]}, <code>error_code</code> <code>${escaped(code)}</code></p>
<p>${inline(text)}</p>`
  )
}

const PAGES: ReadonlyMap<string, HttpServerResponse.HttpServerResponse> = new Map(
  (Object.keys(STATUS) as Array<ErrorCode>).map((code) => [code, pageOf(code)])
)

/** The page of a code; undefined for an unknown one. */
export const errorPage = (code: string | undefined): HttpServerResponse.HttpServerResponse | undefined =>
  PAGES.get(code ?? "")
