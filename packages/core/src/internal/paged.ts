/** Reads lists page by page. */
import { Effect } from "effect"
import type { Cursor } from "../model/Cursor.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"

/** Rows that one page reads past, so that no request reads everything. */
const PASSED_OVER = 10_000

/** The rows of the first read, if they may be long. */
const FIRST = 200

/** The characters of a page whose rows may be long. It has at least one row. */
const MAX_CHARACTERS = 4_000_000

const everything = () => true

/**
 * One page of the wanted rows. It is full unless nothing more comes, or the bound of what is read or of its characters was
 * reached; then the next page continues from there. `lengthOf` counts the characters of a row that may be long.
 */
export const paged = Effect.fnUntraced(function*<A, Key, E>(
  cursor: Cursor<Key>,
  { cursor: text, limit }: PageRequest,
  keyOf: (row: A) => Key,
  read: (after: Key | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E>,
  isWanted: (row: A) => boolean = everything,
  lengthOf?: (row: A) => number
): Effect.fn.Return<Page<A>, E | InvalidCursor> {
  const wanted: Array<A> = []
  let after = yield* cursor.decode(text)
  let length = 0
  let step = lengthOf === undefined ? limit : Math.min(limit, FIRST)
  for (let passed = 0; passed < PASSED_OVER;) {
    const rows = yield* read(after, step + 1)
    for (const row of rows.filter(isWanted)) {
      const previous = wanted.at(-1)
      length += lengthOf?.(row) ?? 0
      if (previous !== undefined && length > MAX_CHARACTERS) {
        return { items: wanted, next: cursor.encode(keyOf(previous)) }
      }
      wanted.push(row)
    }
    const items = wanted.slice(0, limit)
    const last = items.at(-1)
    if (wanted.length > limit && last !== undefined) return { items, next: cursor.encode(keyOf(last)) }
    const lastRead = rows.at(-1)
    if (rows.length <= step || lastRead === undefined) return { items, next: null }
    after = keyOf(lastRead)
    passed += rows.length
    // The rest at once, unless it would be long.
    step = length * limit <= MAX_CHARACTERS * wanted.length ? limit : FIRST
  }
  return { items: wanted, next: after === null ? null : cursor.encode(after) }
})
