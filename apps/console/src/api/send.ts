/**
 * Requests of the console to its server, authenticated by the session. Only safe requests are retried, and only after a
 * short wait. A longer wait is shown to the person, who can stop it.
 */
import { ApiError, errorOf, notOfService } from "./ApiError.ts"
import { pause } from "./pause.ts"
import { SERVER_PATH } from "./server.ts"
import { signedOut } from "./signedOut.ts"

export interface Request {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** A header that other sites cannot send, against cross-site request forgery. */
export const CONSOLE_HEADERS = { "x-tributary-console": "1" }

const ATTEMPTS = 3
const FIRST_PAUSE = 250
/** Milliseconds without anything of an answer. Streams have a heartbeat more often. */
const TIMEOUT = 60_000
/** Longest wait, in seconds, before an automatic retry that the person does not see. */
const MAX_WAIT = 2

const pathOf = ({ path, query = {} }: Request): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const lost = (cause: unknown): ApiError => {
  const timedOut = cause instanceof DOMException && cause.name === "TimeoutError"
  return new ApiError({
    code: timedOut ? "timeout" : "network_error",
    message: timedOut ? "No answer came in time." : "No answer came.",
    status: null,
    requestId: null,
    cause
  })
}

/** Why bodies fail that have fallen silent: a browser gives them the error of a broken connection. */
const silences = new WeakMap<Response, unknown>()

const attempt = async (request: Request): Promise<Response> => {
  const { body, headers, method = "GET", signal } = request
  const patience = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => patience.abort(new DOMException("no answer", "TimeoutError")), TIMEOUT)
  }
  wait()
  const answer = await fetch(SERVER_PATH + pathOf(request), {
    method,
    headers: {
      ...CONSOLE_HEADERS,
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    signal: signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch((cause: unknown) => {
    clearTimeout(timer)
    signal?.throwIfAborted()
    throw lost(cause)
  })
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (part, rest) => {
      wait()
      rest.enqueue(part)
    },
    flush: () => clearTimeout(timer)
  })
  const response = new Response(answer.body?.pipeThrough(heard), answer)
  patience.signal.addEventListener("abort", () => silences.set(response, patience.signal.reason))
  if (response.ok) return response
  const error = await errorOf(response)
  // Signing in fails with the same status, but without a session to end.
  if (response.status === 401 && request.path !== "/console/api/sign-in") signedOut()
  throw error
}

/** Whether a request can be repeated without harm. */
const isRepeatable = (error: ApiError, { method = "GET" }: Request): boolean => {
  if (error.status === 429 || error.status === 503) return (error.retryAfter ?? 0) <= MAX_WAIT
  const isUnknown = error.status === null || error.status === 502 || error.status === 504
  return isUnknown && method !== "POST"
}

/** Resolves with the response before its body is read. */
export const open = async (request: Request): Promise<Response> => {
  for (let count = 1;; count++) {
    try {
      return await attempt(request)
    } catch (error) {
      if (!(error instanceof ApiError) || count >= ATTEMPTS || !isRepeatable(error, request)) throw error
      await pause((error.retryAfter ?? 0) * 1_000 + FIRST_PAUSE * 2 ** (count - 1), request.signal)
      request.signal?.throwIfAborted()
    }
  }
}

export const send = async <A>(request: Request): Promise<A> => {
  const response = await open(request)
  return await response.json().catch((cause: unknown) => {
    request.signal?.throwIfAborted()
    throw cause instanceof SyntaxError ? notOfService(response, cause) : lost(silences.get(response) ?? cause)
  }) as A
}
