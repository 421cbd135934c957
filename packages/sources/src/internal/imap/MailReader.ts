/** Reads mails as documents in a thread of its own: a mail is what a stranger wrote. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import { makeReaderThread, type ReaderThread } from "../ReaderThread.ts"

export interface MailTask {
  readonly id: string
  readonly received: Date
  readonly source: Uint8Array
}

/** A mail's documents; null for one that cannot be read. */
export type MailRead = ReadonlyArray<PulledItem> | null

export type MailReader = ReaderThread<ReadonlyArray<MailTask>, ReadonlyArray<MailRead>>

/** Milliseconds that a portion may take, and a mail that is read by itself. */
const PATIENCE = 20_000

/** Reading takes longer than fetching. */
export const READERS = 2

/** A thread that knows its work takes half the time of a new one, so these serve all mailboxes in turn. */
export const makeMailReader = (): MailReader => {
  const entry = new URL("./readerMain.ts", import.meta.url)
  const threads = Array.from({ length: READERS }, (): MailReader => makeReaderThread(entry, PATIENCE))
  let turn = 0
  return {
    read: (...task) => threads[turn++ % READERS]!.read(...task),
    end: async () => {
      for (const thread of threads) await thread.end()
    }
  }
}
