/** How paths are parsed, and which methods each has, for 405 and OPTIONS. */
import * as FindMyWay from "effect/http/FindMyWay"

/** How paths are parsed: exactly, and long enough for any external id. */
export const ROUTING: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 100_000
}

export interface RouteTable {
  /** The value of an Allow header; undefined for an unknown path. The method is that of the request. */
  allowedMethods(method: string, url: string): string | undefined
  /** The path of the route that handles a request, with names instead of ids. */
  pathOf(method: string, url: string): string | undefined
}

export interface Route {
  readonly method: string
  readonly path: string
}

/** The router accepts an empty segment as a parameter; here a trailing or doubled slash is an unknown path. */
export const hasEmptySegment = (params: Readonly<Record<string, string | undefined>>): boolean => {
  for (const name in params) if (params[name] === "") return true
  return false
}

/**
 * The router cuts a path at a semicolon, and would take `documents/a;b` for `documents/a`. In ids, semicolons must be
 * percent-encoded; a path with one, or with a fragment, is unknown.
 */
export const isCutShort = (url: string): boolean => /^[^?]*[;#]/.test(url)

export const routeTableOf = (routes: ReadonlyArray<Route>): RouteTable => {
  const finder = FindMyWay.make<string>(ROUTING)
  for (const { method, path } of routes) finder.on(method, path as FindMyWay.PathInput, path)
  const known = [...new Set(routes.map(({ method }) => method))].sort()
  return {
    pathOf: (method, url) =>
      isCutShort(url) ? undefined : finder.find(method === "HEAD" ? "GET" : method, url)?.handler,
    allowedMethods: (method, url) => {
      if (isCutShort(url)) return undefined
      // `OPTIONS *` asks for the methods of the whole server (RFC 9110).
      const methods = method === "OPTIONS" && url === "*" ? known : known.filter((method) => {
        const found = finder.find(method, url)
        return found !== undefined && !hasEmptySegment(found.params)
      })
      if (methods.length === 0) return undefined
      return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
    }
  }
}
