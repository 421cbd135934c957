/** A segment in slices, because it may be larger than a message to a database. */
import { Effect, Option } from "effect"
import type { Stored } from "./Storage.ts"

/** In bytes. */
const LENGTH = 1024 * 1024

const joined = (slices: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = slices
  if (slices.length === 1) return only!
  const bytes = new Uint8Array(slices.reduce((length, slice) => length + slice.length, 0))
  let at = 0
  for (const slice of slices) {
    bytes.set(slice, at)
    at += slice.length
  }
  return bytes
}

/**
 * `put` writes a slice only if it is the last or the following one exists, and deletes those after the last, which a
 * longer segment of the same name had. The first slice is written last: if it exists, all do, even if another process
 * deletes written slices.
 */
export const putSlices = Effect.fnUntraced(function*(
  bytes: Uint8Array,
  put: (slice: number, last: number, bytes: Uint8Array) => Stored<void>
) {
  const last = Math.floor(Math.max(bytes.length - 1, 0) / LENGTH)
  for (let slice = last; slice >= 0; slice--) {
    yield* put(slice, last, bytes.subarray(slice * LENGTH, (slice + 1) * LENGTH))
  }
})

/** None if one is missing: the segment was deleted in the meantime, or never stored. */
export const getSlices = Effect.fnUntraced(function*(
  get: (slice: number) => Stored<{ readonly bytes: Uint8Array; readonly isLast: boolean } | undefined>
) {
  const slices: Array<Uint8Array> = []
  for (let slice = 0;; slice++) {
    const found = yield* get(slice)
    if (found === undefined) return Option.none()
    slices.push(found.bytes)
    if (found.isLast) return Option.some(joined(slices))
    yield* Effect.yieldNow
  }
})
