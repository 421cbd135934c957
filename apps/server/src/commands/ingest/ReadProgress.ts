/** The progress of reading files. */
import type { Problem } from "./Files.ts"

export interface ReadProgress {
  /** Skipped files, with the reason. */
  readonly problems: Array<Problem>
  bytesRead: number
}

export const UNSTORABLE = "it holds a NUL character or half a surrogate pair, which no document may"
