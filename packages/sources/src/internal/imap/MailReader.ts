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

/** It serves all mailboxes in turn: reading takes half the time of fetching, so more would only wait. */
export const makeMailReader = (): MailReader => makeReaderThread(new URL("./readerMain.ts", import.meta.url), PATIENCE)
