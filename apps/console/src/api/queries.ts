/** The query cache, and whether the service is reachable. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
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

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError, onSuccess }),
  mutationCache: new MutationCache({ onError, onSuccess }),
  defaultOptions: {
    // `send` retries what is safe to repeat.
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" }
  }
})
