import { RetryableFailure } from "@tributary/core/ports/Provider"
import { makeBell } from "../bell.ts"
import type { MailClient } from "./MailClient.ts"

/** Emits once it watches, and when mails come or go. The library waits by IDLE, or asks now and then where there is none. */
export async function* watchMailbox(client: MailClient, folder: string): AsyncGenerator<void> {
  const { heard, ring } = makeBell()
  await client.mailboxOpen(folder, { readOnly: true })
  client.on("exists", ring).on("expunge", ring).on("vanished", ring).on("close", ring)
  ring()
  void client.idle().catch(() => undefined)
  while (true) {
    await heard()
    if (!client.usable) throw new RetryableFailure({ message: "The mail server has closed the connection." })
    yield
  }
}
