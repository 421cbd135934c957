/** Reads lists page by page. */
import { Effect } from "effect"
import type { Cursor } from "../model/Cursor.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"

/** Rows that one page reads past, so that no request reads everything. */
const PASSED_OVER = 10_000

const everything = () => true

/**
 * One page of the wanted rows. It is full unless nothing more comes, or the bound of what is read was reached; then the
 * next page continues from there.
 */
export const paged = Effect.fnUntraced(function*<A, Key, E>(
  cursor: Cursor<Key>,
  { cursor: text, limit }: PageRequest,
  keyOf: (row: A) => Key,
  read: (after: Key | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E>,
  isWanted: (row: A) => boolean = everything
): Effect.fn.Return<Page<A>, E | InvalidCursor> {
  const wanted: Array<A> = []
  let after = yield* cursor.decode(text)
  for (let passed = 0; passed < PASSED_OVER;) {
    const rows = yield* read(after, limit + 1)
    wanted.push(...rows.filter(isWanted))
    const items = wanted.slice(0, limit)
    const last = items.at(-1)
    if (wanted.length > limit && last !== undefined) return { items, next: cursor.encode(keyOf(last)) }
    const lastRead = rows.at(-1)
    if (rows.length <= limit || lastRead === undefined) return { items, next: null }
    after = keyOf(lastRead)
    passed += rows.length
  }
  return { items: wanted, next: after === null ? null : cursor.encode(after) }
})
