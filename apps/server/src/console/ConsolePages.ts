/** Serves the console below `/console`, where `/` leads a browser, beside the API that it talks to. */
import { requestId } from "@tributary/http/RequestId"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ConsoleFile, type ConsoleFiles, loadConsole, pageWithin } from "./ConsoleFiles.ts"

const SECURITY = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // For browsers that do not know `frame-ancestors`.
  "x-frame-options": "DENY"
}

class ConsoleUnreadable extends Data.TaggedError("ConsoleUnreadable")<{ readonly cause: unknown }> {}

/** Names in this folder change with the content. */
const HASHED = "assets/"

const ABSENT = HttpServerResponse.text(
  "The console is not part of this installation. The API and the tributary command do all that it does.\n",
  { status: 404, headers: SECURITY }
)

const FAILED = HttpServerResponse.text(
  "The console could not be prepared. The log says why; the API is not affected.\n",
  { status: 503, headers: { ...SECURITY, "retry-after": "10" } }
)

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"])

const pathOf = ({ url }: Pick<HttpServerRequest.HttpServerRequest, "url">): string => url.split(/[?#]/)[0]!

/** The path below `/console/`, without the query; null if the console does not serve it. */
const consolePath = (request: Pick<HttpServerRequest.HttpServerRequest, "method" | "url">) => {
  const { method } = request
  const path = pathOf(request)
  if (!READS.has(method)) return null
  if (path === "/console") return ""
  if (!path.startsWith("/console/") || /^\/console\/api(\/|$)/.test(path)) return null
  return path.slice("/console/".length)
}

const accepts = (header: string | undefined, coding: string): boolean =>
  (header ?? "").split(",").some((part) => {
    const [name, ...parameters] = part.toLowerCase().split(";").map((one) => one.trim())
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/** A proxy that compresses marks tags as weak, and a cache may send those of several versions. */
const isCurrent = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()))

/** Who opens the address of the server in a browser looks for the console, and a client of the API for an error. */
const isFrontPage = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  READS.has(method) && /^\/(?:\?|$)/.test(url) && accepts(headers["accept"], "text/html")

// Relative, because a proxy may serve the API below a path.
const TO_CONSOLE = HttpServerResponse.redirect("console", { headers: SECURITY })

const respond = (
  { bodies, contentType, etag }: ConsoleFile,
  path: string,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    ...SECURITY,
    etag,
    vary: "accept-encoding",
    "cache-control": path.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-cache"
  }
  if (isCurrent(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
  const coding = Object.keys(bodies).find((coding) => accepts(request.headers["accept-encoding"], coding)) ?? "identity"
  return HttpServerResponse.uint8Array(bodies[coding]!, {
    contentType,
    headers: coding === "identity" ? headers : { ...headers, "content-encoding": coding }
  })
}

/** The console's folder as seen from an address: a proxy may serve it below a path, which only the browser knows. */
const folderFrom = (path: string): string =>
  path === "/console" ? "console/" : "../".repeat(path.split("/").length - 3) || "./"

/** Every address without a file of its own is one of the console's pages. */
const find = (files: ConsoleFiles, path: string, request: HttpServerRequest.HttpServerRequest) => {
  const page = files.get("index.html")
  const file = files.get(path) ?? (path.startsWith(HASHED) ? undefined : page)
  return file !== undefined && file === page ? pageWithin(page, folderFrom(pathOf(request))) : file
}

/** The app with the console before it. The files are read, and in development built, at the first request. */
export const withConsole = Effect.fnUntraced(function*<E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const [load, forget] = yield* Effect.cachedInvalidateWithTTL(
    Effect.tryPromise({ try: loadConsole, catch: (cause) => new ConsoleUnreadable({ cause }) }),
    Infinity
  )

  const serve = (path: string, request: HttpServerRequest.HttpServerRequest) =>
    Effect.matchEffect(load, {
      onSuccess: (files) => {
        if (files === null) return Effect.succeed(ABSENT)
        const file = find(files, path, request)
        return file === undefined ? app : Effect.succeed(respond(file, path, request))
      },
      onFailure: ({ cause }) =>
        Effect.logError("the console could not be prepared", cause).pipe(Effect.andThen(forget), Effect.as(FAILED))
    })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const path = consolePath(request)
    if (path === null && !isFrontPage(request)) return app
    const served = path === null ? Effect.succeed(TO_CONSOLE) : serve(path, request)
    return Effect.map(served, HttpServerResponse.setHeader("x-request-id", requestId(request)))
  })
})
