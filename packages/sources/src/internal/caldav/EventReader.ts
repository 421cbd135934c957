/** Parses calendar objects in a separate thread. */
import { makeReaderThread, type ReaderThread } from "../ReaderThread.ts"
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
const PATIENCE = 2_000

/** Threads that wait for another sync, until they have been idle for too long. */
const MAX_RESTING = 4

/**
 * Each sync takes one, so that rules that keep it busy delay no other calendar, and gives it back, because a thread
 * takes longer to start than to read most calendars.
 */
export const makeEventReaders = () => {
  const resting: Array<EventReader> = []
  return {
    take: (): EventReader => resting.pop() ?? makeReaderThread(new URL("./readerMain.ts", import.meta.url), PATIENCE),
    giveBack: async (reader: EventReader): Promise<void> => {
      if (resting.length < MAX_RESTING) resting.push(reader)
      else await reader.end()
    }
  }
}
