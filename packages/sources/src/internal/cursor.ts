/** Cursors as JSON. An unreadable cursor, perhaps of another version, counts as none. */
import { Option, Schema } from "effect"

/** Documents after which a source that reads them one by one stores its cursor. */
export const CHECKPOINT_INTERVAL = 500

export interface CursorFormat<A> {
  readonly read: (cursor: string | null) => A | null
  readonly write: (state: A) => string
}

export const cursorFormat = <A, I>(schema: Schema.Codec<A, I>): CursorFormat<A> => {
  const json = Schema.fromJsonString(schema)
  const decode = Schema.decodeUnknownOption(json)
  return {
    read: (cursor) => cursor === null ? null : Option.getOrNull(decode(cursor)),
    write: Schema.encodeSync(json)
  }
}
