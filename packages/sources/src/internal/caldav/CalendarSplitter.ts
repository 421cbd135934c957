/** Splits published calendars in a separate thread: one of many years takes longer than requests may wait. */
import { type ReaderThread, ReaderThreads } from "../ReaderThread.ts"
import type { CalendarObject } from "./splitCalendar.ts"

export interface CalendarFile {
  readonly bytes: Uint8Array
  readonly contentType: string | null
  /** The number of objects that are there already. */
  readonly from: number
}

/** "More" are the next objects of the last file. */
export type SplitTask = CalendarFile | "more"

/** No objects after the last ones. "Forgotten" if the thread was idle for so long that it ended, and has no file. */
export type Split = ReadonlyArray<CalendarObject> | "no calendar" | "unfinished" | "forgotten"

export type CalendarSplitter = ReaderThread<SplitTask, Split>

/** Milliseconds allowed for one file. */
const TIMEOUT = 10_000

export const makeCalendarSplitters = () =>
  new ReaderThreads<SplitTask, Split>(new URL("./splitterMain.ts", import.meta.url), TIMEOUT)
