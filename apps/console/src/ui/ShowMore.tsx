import { Button } from "./Button.tsx"

interface Props {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** Below a list that comes in pages. */
export const ShowMore = ({ list: { fetchNextPage, hasNextPage, isFetchingNextPage } }: Props) =>
  hasNextPage && (
    <div className="result">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
    </div>
  )
