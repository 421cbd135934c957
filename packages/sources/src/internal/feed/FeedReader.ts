/** Parses feeds in a separate thread: a small feed can take much time and memory. */
import { ReaderThreads } from "../ReaderThread.ts"
import type { FeedEntry } from "./FeedEntry.ts"

export interface FeedTask {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string | null
  readonly url: string
}

/** Null inside if it is not a feed. */
export type FeedRead = { readonly entries: ReadonlyArray<FeedEntry> | null } | { readonly unfinished: true }

export type FeedReaders = ReaderThreads<FeedTask, FeedRead>

/** Milliseconds allowed for one feed. */
const PATIENCE = 5_000

export const makeFeedReaders = (): FeedReaders =>
  new ReaderThreads(new URL("./readerMain.ts", import.meta.url), PATIENCE)
