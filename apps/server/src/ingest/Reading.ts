/** What a reading of files has come to so far. */
import type { Problem } from "./Files.ts"

export interface Reading {
  /** What is left out, and why. */
  readonly problems: Array<Problem>
  bytesRead: number
}

/** As long as the service takes an id, in UTF-16 code units. */
export const MAXIMUM_ID = 512

export const UNSTORABLE = "it holds a NUL character or half a surrogate pair, which no document may"
