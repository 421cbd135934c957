import { Button } from "./Button.tsx"
import { Failure } from "./feedback/Failure.tsx"

interface Props {
  readonly list: {
    readonly error: unknown
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** Below a list that comes in pages. */
export const ShowMore = (
  { list: { error, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } }: Props
) =>
  hasNextPage && (
    <div className="result">
      {isFetchNextPageError && <Failure error={error} what="What comes next cannot be shown" />}
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
    </div>
  )
