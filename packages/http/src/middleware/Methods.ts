/** Which methods each path has: for 405, and for OPTIONS. */
import * as FindMyWay from "effect/http/FindMyWay"

/** How paths are read: to the letter, and long enough for any id that a client may have given. */
export const ROUTING: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 100_000
}

export interface Methods {
  /** The value of an Allow header; nothing for an unknown path. */
  allowed(url: string): string | undefined
}

export interface Route {
  readonly method: string
  readonly path: string
}

/** The router takes an empty segment for a parameter; here it is a trailing or a doubled slash, and no path. */
export const hasEmptySegment = (params: Readonly<Record<string, string | undefined>>): boolean => {
  for (const name in params) if (params[name] === "") return true
  return false
}

/**
 * The router ends a path at a semicolon, and would take `documents/a;b` for `documents/a`. In an id it stands
 * percent-encoded; a path that has one, or a fragment, is none here.
 */
export const isCutShort = (url: string): boolean => /^[^?]*[;#]/.test(url)

export const methodsOf = (routes: ReadonlyArray<Route>): Methods => {
  const finder = FindMyWay.make<true>(ROUTING)
  for (const { method, path } of routes) finder.on(method, path as FindMyWay.PathInput, true)
  const known = [...new Set(routes.map(({ method }) => method))].sort()
  return {
    allowed: (url) => {
      if (isCutShort(url)) return undefined
      const methods = known.filter((method) => {
        const found = finder.find(method, url)
        return found !== undefined && !hasEmptySegment(found.params)
      })
      if (methods.length === 0) return undefined
      return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
    }
  }
}
