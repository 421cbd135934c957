import type { ReactNode } from "react"
import { Failure } from "./Failure.tsx"

interface Props {
  readonly query: { readonly error: unknown; readonly refetch: () => Promise<unknown> }
  readonly what: string
  /** Shown while it loads. */
  readonly children: ReactNode
}

/** In place of data that a query does not have: it is loading, or has failed. */
export const NotLoaded = ({ children, query: { error, refetch }, what }: Props) =>
  error === null ? children : <Failure error={error} what={what} retry={() => void refetch()} />
