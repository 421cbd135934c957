/**
 * When the storage was last written to before this process opened it, in milliseconds: a clock that is far ahead of it
 * may be wrong. Infinity if nobody knows.
 */
import { Context } from "effect"

export const LastWritten = Context.Reference<number>("@tributary/core/ports/LastWritten", {
  defaultValue: () => Infinity
})
