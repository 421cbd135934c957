/** The cache of what was read, and whether the service answers at all. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { ApiError } from "./ApiError.ts"

let reachable = true
const listeners = new Set<() => void>()

const tell = (now: boolean): void => {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

const onError = (error: unknown): void => {
  const { code } = error instanceof ApiError ? error : { code: "" }
  if (code === "network_error" || code === "timeout" || code === "service_unavailable") tell(false)
}
const onSuccess = (): void => tell(true)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** False from the first request without an answer to the next one with an answer. */
export const useReachable = (): boolean => useSyncExternalStore(subscribe, () => reachable)

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError, onSuccess }),
  mutationCache: new MutationCache({ onError, onSuccess }),
  defaultOptions: {
    // Requests are repeated below this, where it is known when that does no harm.
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" }
  }
})
