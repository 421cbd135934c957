/** Parses mails into documents in a separate thread, because mails are untrusted. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import { makeReaderThread, type ReaderThread } from "../ReaderThread.ts"

export interface MailTask {
  readonly id: string
  readonly received: Date
  readonly source: Uint8Array
}

/** The documents of a mail; null if it cannot be parsed. */
export type MailRead = ReadonlyArray<PulledItem> | null

export type MailReader = ReaderThread<ReadonlyArray<MailTask>, ReadonlyArray<MailRead>>

/** Milliseconds allowed for a batch, and for a mail that is parsed alone. */
const PATIENCE = 20_000

/** One thread for all mailboxes: parsing takes half the time of fetching, so more threads would be idle. */
export const makeMailReader = (): MailReader => makeReaderThread(new URL("./readerMain.ts", import.meta.url), PATIENCE)
