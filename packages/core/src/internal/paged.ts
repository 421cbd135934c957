/** Reads lists page by page. */
import { Effect } from "effect"
import type { Cursor } from "../model/Cursor.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"

/** One page, from a reader that is asked for one row more than the page. */
export const paged = Effect.fnUntraced(function*<A, Key, E>(
  cursor: Cursor<Key>,
  { cursor: text, limit }: PageRequest,
  keyOf: (row: A) => Key,
  read: (after: Key | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.fn.Return<Page<A>, E | InvalidCursor> {
  const rows = yield* read(yield* cursor.decode(text), limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursor.encode(keyOf(last)) : null }
})
