import { type ReactNode, useState } from "react"
import { CardSkeleton, Skeleton } from "../Page.tsx"
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
  /** In a card without padding. */
  readonly flush?: boolean
  /** Of the text that is shown while it loads. */
  readonly lines?: number
  /** Shown instead of that text. */
  readonly children?: ReactNode
}

/**
 * In place of data that a query does not have: it is loading, or has failed. A query forgets its error while it is
 * tried again. The note stays until it succeeds, and with it the focus on its button.
 */
export const NotLoaded = ({ children, flush = false, lines = 4, query, what }: Props) => {
  const { error, errorUpdateCount, isFetching, refetch } = query
  const [last, setLast] = useState(error)
  if (error !== null && error !== last) setLast(error)
  return errorUpdateCount === 0 || last === null
    ? children ?? (flush ? <CardSkeleton lines={lines} /> : <Skeleton lines={lines} />)
    : <Failure error={last} what={what} busy={isFetching} retry={() => void refetch()} />
}
