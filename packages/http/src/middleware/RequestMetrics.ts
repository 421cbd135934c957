/** Request durations by route and status, with the names of OpenTelemetry. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { UsageLog } from "@tributary/core/UsageLog"
import { Clock, Context, Metric } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { ErrorCode } from "../api/ErrorBody.ts"

/** In seconds. */
const BOUNDARIES = Metric.exponentialBoundaries({ start: 0.001, factor: 2, count: 15 })

/** Unknown paths are one series, because clients can send any number of them. */
const OTHER = "other"

/** The outcome of a refused request. */
export type RefusalCode = ErrorCode | "validation_error"

interface Notes {
  route?: string
  workspaceId?: WorkspaceId
  /** The error code of the response. */
  code?: RefusalCode
}

/** Stored on the platform's request object, like its id. */
const NOTES = Symbol("notes")

const notesOf = ({ source }: HttpServerRequest): Notes => {
  const noted = source as { [NOTES]?: Notes }
  return noted[NOTES] ??= {}
}

/** Sets the route of a request. */
export const setRoute = (request: HttpServerRequest, path: string): void => {
  notesOf(request).route = path
}

/** Sets the workspace of a request. */
export const setWorkspace = (request: HttpServerRequest, workspaceId: WorkspaceId): void => {
  notesOf(request).workspaceId = workspaceId
}

/** Sets the error of a request. */
export const setCode = (request: HttpServerRequest, code: RefusalCode): void => {
  notesOf(request).code = code
}

const series = new Map<string, Metric.Histogram<number>>()

const seriesOf = (method: string, route: string, status: number): Metric.Histogram<number> => {
  const key = `${method} ${route} ${status}`
  const known = series.get(key)
  if (known !== undefined) return known
  const made = Metric.histogram("http_server_request_duration_seconds", {
    description: "How long requests took until the head of their answer",
    attributes: {
      http_request_method: method,
      http_response_status_code: String(status),
      http_route: route
    },
    boundaries: BOUNDARIES
  })
  series.set(key, made)
  return made
}

/** Records an answered request; `began` is a time of `performance.now`. */
export const recordRequest = (
  request: HttpServerRequest,
  status: number,
  began: number,
  context: Context.Context<never>
): void => {
  const { route = OTHER } = notesOf(request)
  seriesOf(request.method, route, status).updateUnsafe((performance.now() - began) / 1_000, context)
}

const labels = new Map<string, string>()

/** `GET /v1/documents/{document_id}`. HEAD counts as GET. */
const operationOf = (method: string, route: string): string => {
  const key = `${method} ${route}`
  const known = labels.get(key)
  if (known !== undefined) return known
  const made = `${method === "HEAD" ? "GET" : method} ${route.replaceAll(/:(\w+)/g, "{$1}")}`
  labels.set(key, made)
  return made
}

const codeOf = (status: number): string => status === 503 ? "service_unavailable" : "internal_server_error"

/** Records an answered request of the public API for its workspace, if that is known. */
export const recordUsage = (
  usage: UsageLog["Service"],
  request: HttpServerRequest,
  status: number,
  began: number,
  context: Context.Context<never>
): void => {
  const { code, route, workspaceId } = notesOf(request)
  if (workspaceId === undefined || route?.startsWith("/v1/") !== true) return
  const outcome = status < 400 ? "ok" : code ?? codeOf(status)
  const used = { workspaceId, operation: operationOf(request.method, route), outcome }
  usage.record(
    { ...used, millis: performance.now() - began },
    Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  )
}
