/** Merges parts of a view into one segment. */
import { Effect } from "effect"
import { IndexBuilder, type MergePart } from "../../ports/IndexBuilder.ts"
import type { Part } from "../View.ts"

/** The number of bytes that are read and verified in a moment. */
const PIECE = 1 << 20

/** Reads all bytes, yielding to other work in between. */
const inputOf = Effect.fnUntraced(function*({ mask, segment }: Part) {
  for (let at = 0; at < segment.byteLength; at += PIECE) {
    if (at > 0) yield* Effect.yieldNow
    segment.check(at, at + PIECE)
  }
  return { bytes: segment.bytes, hidden: [...mask.documents()] } satisfies MergePart
})

/** One segment of all documents that are not masked. A single part without masked documents is that segment. */
export const mergeParts = Effect.fnUntraced(function*(parts: ReadonlyArray<Part>) {
  const input = yield* Effect.forEach(parts, inputOf)
  const [only, ...others] = input
  if (only !== undefined && others.length === 0 && only.hidden.length === 0) return only.bytes
  return yield* (yield* IndexBuilder).merge(input)
})
