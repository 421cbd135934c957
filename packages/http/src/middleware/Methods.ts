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

export const methodsOf = (routes: ReadonlyArray<Route>): Methods => {
  const finder = FindMyWay.make<true>(ROUTING)
  for (const { method, path } of routes) finder.on(method, path as FindMyWay.PathInput, true)
  const known = [...new Set(routes.map(({ method }) => method))].sort()
  return {
    allowed: (url) => {
      const methods = known.filter((method) => finder.find(method, url) !== undefined)
      if (methods.length === 0) return undefined
      return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
    }
  }
}
