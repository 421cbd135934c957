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

/** So are methods that no route has. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
const OTHER_METHOD = "_OTHER"

export const knownMethod = (method: string): string => METHODS.has(method) ? method : OTHER_METHOD

/** The outcome of a refused request. */
export type RefusalCode = ErrorCode | "validation_error"

interface Measured {
  /** `GET /v1/documents/{document_id}`. HEAD counts as GET. */
  readonly operation: string
  readonly series: Map<number, Metric.Histogram<number>>
}

/** The series of a path by method, kept with its route, because finding them by name takes as long as counting. */
interface MeasuredPath {
  readonly path: string
  readonly byMethod: Map<string, Measured>
}

export const measuredPath = (path: string): MeasuredPath => ({ path, byMethod: new Map() })

const OTHER_PATHS = measuredPath(OTHER)

interface Notes {
  route?: MeasuredPath
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

export const setRoute = (request: HttpServerRequest, route: MeasuredPath): void => {
  notesOf(request).route = route
}

/** The path of the route that handles a request, with names instead of ids; undefined if none does. */
export const routeOf = (request: HttpServerRequest): string | undefined => notesOf(request).route?.path

export const setWorkspace = (request: HttpServerRequest, workspaceId: WorkspaceId): void => {
  notesOf(request).workspaceId = workspaceId
}

export const workspaceOf = (request: HttpServerRequest): WorkspaceId | undefined => notesOf(request).workspaceId

export const setCode = (request: HttpServerRequest, code: RefusalCode): void => {
  notesOf(request).code = code
}

const measuredOf = ({ byMethod, path }: MeasuredPath, method: string): Measured => {
  const known = byMethod.get(method)
  if (known !== undefined) return known
  const operation = `${method === "HEAD" ? "GET" : method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`
  const made: Measured = { operation, series: new Map() }
  byMethod.set(method, made)
  return made
}

const seriesOf = ({ series }: Measured, method: string, route: string, status: number): Metric.Histogram<number> => {
  const known = series.get(status)
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
  series.set(status, made)
  return made
}

const codeOf = (status: number): string => status === 503 ? "service_unavailable" : "internal_server_error"

/**
 * Records an answered request, and for its workspace if that is known and the request was to the public API; `began` is
 * a time of `performance.now`.
 */
export const recordRequest = (
  usage: UsageLog["Service"],
  request: HttpServerRequest,
  status: number,
  began: number,
  context: Context.Context<never>
): void => {
  const { code, route = OTHER_PATHS, workspaceId } = notesOf(request)
  const method = knownMethod(request.method)
  const millis = performance.now() - began
  const measured = measuredOf(route, method)
  seriesOf(measured, method, route.path, status).updateUnsafe(millis / 1_000, context)
  if (workspaceId === undefined || !route.path.startsWith("/v1/")) return
  const outcome = status < 400 ? "ok" : code ?? codeOf(status)
  usage.record(
    { workspaceId, operation: measured.operation, outcome, millis },
    Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  )
}
