import { notifyManager } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { queries } from "../api/queries.ts"
import { errorMessage } from "../ui/feedback/errorMessage.ts"

const cache = queries.getQueryCache()

const subscribe = (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener))

/** Why something that the page shows could not be read again, or null. A list says itself that its next page failed. */
const failure = (): Error | null =>
  cache.getAll().find((query) => {
    const { data, error, fetchMeta } = query.state
    return error !== null && data !== undefined && fetchMeta === null && query.isActive()
  })?.state.error ?? null

/** Somebody may have deleted what the page shows, or the server fails. */
export const OutOfDate = () => {
  const error = useSyncExternalStore(subscribe, failure)
  if (error === null) return null
  return (
    <p className="offline wrap-anywhere" role="status">
      This page may be out of date. A part of it could not be read again: {errorMessage(error)}
    </p>
  )
}
