/** How long requests take, by route and outcome, under the names that OpenTelemetry has for them. */
import { type Context, Metric } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** In seconds. */
const BOUNDARIES = Metric.exponentialBoundaries({ start: 0.001, factor: 2, count: 15 })

/** What no operation took is one series: clients make up any number of paths. */
const OTHER = "other"

/** Kept on what the platform calls a request, as its id is. */
const ROUTE = Symbol("route")

/** Says which route a request took. */
export const setRoute = ({ source }: HttpServerRequest, path: string): void => {
  ;(source as { [ROUTE]?: string })[ROUTE] = path
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

/** Counts an answered request; `began` is as `performance.now` tells time. */
export const recordRequest = (
  request: HttpServerRequest,
  status: number,
  began: number,
  context: Context.Context<never>
): void => {
  const route = (request.source as { [ROUTE]?: string })[ROUTE] ?? OTHER
  seriesOf(request.method, route, status).updateUnsafe((performance.now() - began) / 1_000, context)
}
