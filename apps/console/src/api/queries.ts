/** The query cache, and whether the service is reachable. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey
} from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { ApiError } from "./ApiError.ts"

let reachable = true
const listeners = new Set<() => void>()

const setReachable = (now: boolean): void => {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

const onError = (error: unknown): void => {
  const { code } = error instanceof ApiError ? error : { code: "" }
  if (code === "network_error" || code === "timeout" || code === "service_unavailable") setReachable(false)
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
  mutationCache: new MutationCache({ onError, onSuccess }),
  defaultOptions: {
    // `send` retries what is safe to repeat.
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" }
  }
})
