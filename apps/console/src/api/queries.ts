/** The query cache, and whether the service is reachable. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey
} from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { ApiError, isPassing } from "./ApiError.ts"

let reachable = true
const listeners = new Set<() => void>()

/** What is shown when the service comes back may have changed meanwhile. */
const setReachable = (now: boolean): void => {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
  if (reachable) void queries.invalidateQueries()
}

/** Milliseconds between looks at the own workspaces after refusals. */
const SELDOM = 10_000

type AnyQuery = Query<unknown, unknown, unknown>

/** The own workspaces, which every page asks for: without them, the service does not answer. */
const PROBE = { queryKey: ["workspaces"], exact: true } as const
const isProbe = ({ queryKey }: AnyQuery): boolean => queryKey.length === 1 && queryKey[0] === PROBE.queryKey[0]

/** A person may have been removed from a workspace, or have another role in it. */
const readRoles = (): Promise<void> =>
  queries.refetchQueries(
    { ...PROBE, predicate: ({ state }) => Date.now() - state.dataUpdatedAt > SELDOM },
    { cancelRefetch: false }
  )

/** One part of the service may be away while the others answer, which is no reason to read everything again. */
const onLost = (query: AnyQuery, { code }: ApiError): void => {
  if (isProbe(query) || code === "timeout") setReachable(false)
  else void queries.refetchQueries(PROBE, { cancelRefetch: false })
  const lost = query.state.errorUpdateCount
  setTimeout(() => {
    if (query.state.errorUpdateCount !== lost || query.state.status !== "error") return
    void queries.refetchQueries({ queryKey: query.queryKey, exact: true, type: "active" })
  }, SELDOM)
}

const onError = (error: unknown, query: AnyQuery): void => {
  if (!(error instanceof ApiError)) return
  if (isPassing(error) && error.code !== "rate_limit_exceeded") onLost(query, error)
  if (error.status === 403) void readRoles()
}

const onSuccess = (): void => setReachable(true)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** False after a request without a response, until the next response. */
export const useReachable = (): boolean => useSyncExternalStore(subscribe, () => reachable)

class Queries extends QueryClient {
  /** A first load that is under way may answer what was before the change. The library starts only later loads again. */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options?: InvalidateOptions
  ): Promise<void> {
    await this.cancelQueries({
      ...filters,
      predicate: (query) => query.state.data === undefined && (filters.predicate?.(query) ?? true)
    })
    await super.invalidateQueries(filters, options)
  }
}

export const queries = new Queries({
  queryCache: new QueryCache({ onError, onSuccess }),
  defaultOptions: {
    // `send` retries what is safe to repeat.
    queries: { retry: false, staleTime: 2_000, networkMode: "always" }
  }
})
