/** The progress of reading files. */
import type { Problem } from "./Files.ts"

export interface ReadProgress {
  /** Skipped files, with the reason. */
  readonly problems: Array<Problem>
  bytesRead: number
}

/** The service's maximum length of an id, in UTF-16 code units. */
export const MAXIMUM_ID = 512

export const UNSTORABLE = "it holds a NUL character or half a surrogate pair, which no document may"
