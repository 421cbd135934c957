/** How paths are parsed, and which methods each has, for 405 and OPTIONS. */
import * as FindMyWay from "effect/http/FindMyWay"
import type * as HttpRouter from "effect/http/HttpRouter"

/** How paths are parsed: exactly, and long enough for any external id. */
export const ROUTING: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 100_000
}

export interface RouteTable {
  add(method: string, path: string): void
  /** The value of an Allow header; undefined for an unknown path. The method is that of the request. */
  allowedMethods(method: string, url: string): string | undefined
  /** The path of the route that handles a request, with names instead of ids. */
  pathOf(method: string, url: string): string | undefined
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

export const makeRouteTable = (): RouteTable => {
  const finder = FindMyWay.make<string>(ROUTING)
  const known = new Set<string>()
  return {
    add: (method, path) => {
      finder.on(method, path as FindMyWay.PathInput, path)
      known.add(method)
    },
    pathOf: (method, url) =>
      isCutShort(url) ? undefined : finder.find(method === "HEAD" ? "GET" : method, url)?.handler,
    allowedMethods: (method, url) => {
      if (isCutShort(url)) return undefined
      // `OPTIONS *` asks for the methods of the whole server (RFC 9110).
      const isOfServer = method === "OPTIONS" && url === "*"
      const methods = [...known].sort().filter((method) => {
        const found = isOfServer ? undefined : finder.find(method, url)
        return isOfServer || (found !== undefined && !hasEmptySegment(found.params))
      })
      if (methods.length === 0) return undefined
      return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
    }
  }
}

/** The router, which notes its routes in the table. */
export const withTable = (router: HttpRouter.HttpRouter, table: RouteTable): HttpRouter.HttpRouter => ({
  ...router,
  add: (method, path, handler, options) => {
    table.add(method, path)
    return router.add(method, path, handler, options)
  },
  addAll: (routes) => {
    for (const { method, path } of routes) table.add(method, path)
    return router.addAll(routes)
  }
})
