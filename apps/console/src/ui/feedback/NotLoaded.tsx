import { type ReactNode, useState } from "react"
import { Failure } from "./Failure.tsx"

interface Props {
  readonly query: {
    readonly error: unknown
    /** How often it has failed. */
    readonly errorUpdateCount: number
    readonly isFetching: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly what: string
  /** Shown while it loads. */
  readonly children: ReactNode
}

/**
 * In place of data that a query does not have: it is loading, or has failed. A query forgets its error while it is
 * tried again. The note stays until it succeeds, and with it the focus on its button.
 */
export const NotLoaded = ({ children, query: { error, errorUpdateCount, isFetching, refetch }, what }: Props) => {
  const [last, setLast] = useState(error)
  if (error !== null && error !== last) setLast(error)
  return errorUpdateCount === 0 || last === null
    ? children
    : <Failure error={last} what={what} busy={isFetching} retry={() => void refetch()} />
}
