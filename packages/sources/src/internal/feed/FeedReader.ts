/** Parses feeds in a separate thread: a small feed can take much time and memory. */
import { ReaderThreads } from "../ReaderThread.ts"
import type { FeedEntry } from "./FeedEntry.ts"

export interface FeedTask {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string | null
  readonly url: string
}

export type FeedRead =
  | { readonly entries: ReadonlyArray<FeedEntry> }
  | { readonly unfinished: true }
  /** It is not a feed, but may be a page that names one. */
  | { readonly named: string | null }

export type FeedReaders = ReaderThreads<FeedTask, FeedRead>

/** Milliseconds allowed for one feed. */
const TIMEOUT = 5_000

export const makeFeedReaders = (): FeedReaders =>
  new ReaderThreads(new URL("./readerMain.ts", import.meta.url), TIMEOUT)
