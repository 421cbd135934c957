/** Parses calendar objects in a separate thread. */
import { type ReaderThread, ReaderThreads } from "../ReaderThread.ts"
import type { Window } from "./occurrences.ts"
import type { CalendarEvent } from "./readEvent.ts"

export interface EventTask {
  readonly text: string
  readonly window: Window
}

/** Null if it is no calendar, and inside if the event has no time. */
export type EventRead = { readonly event: CalendarEvent | null } | null

export type EventReader = ReaderThread<EventTask, EventRead>

/** Milliseconds allowed for one calendar object. */
const TIMEOUT = 2_000

export const makeEventReaders = () =>
  new ReaderThreads<EventTask, EventRead>(new URL("./readerMain.ts", import.meta.url), TIMEOUT)
