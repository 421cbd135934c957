/** Parses mails into documents in a separate thread, because mails are untrusted. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import { type ReaderThread, ReaderThreads } from "../ReaderThread.ts"

export interface MailTask {
  readonly id: string
  readonly received: Date
  readonly source: Uint8Array
}

/** The documents of a mail; null if it cannot be parsed. */
export type MailRead = ReadonlyArray<PulledItem> | null

export type MailReader = ReaderThread<ReadonlyArray<MailTask>, ReadonlyArray<MailRead>>

/** Milliseconds allowed for a batch, and for a mail that is parsed alone. */
const TIMEOUT = 20_000

export type MailReaders = ReaderThreads<ReadonlyArray<MailTask>, ReadonlyArray<MailRead>>

/** One thread for each mailbox that is being synced: mails that take as long as they may delay no other mailbox. */
export const makeMailReaders = (): MailReaders =>
  new ReaderThreads(new URL("./readerMain.ts", import.meta.url), TIMEOUT)
