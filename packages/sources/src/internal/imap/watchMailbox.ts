import { RetryableFailure } from "@tributary/core/ports/Provider"
import type { ImapFlow } from "imapflow"

/** Emits when mails come or go. The library waits by IDLE, or asks now and then where the server has none. */
export async function* watchMailbox(client: ImapFlow, folder: string): AsyncGenerator<void> {
  await client.mailboxOpen(folder, { readOnly: true })
  let happened = false
  let wake = () => {}
  const tell = () => {
    happened = true
    wake()
  }
  client.on("exists", tell).on("expunge", tell).on("close", () => wake())
  void client.idle().catch(() => undefined)
  while (client.usable) {
    if (!happened) await new Promise<void>((resolve) => wake = resolve)
    if (happened) yield
    happened = false
  }
  throw new RetryableFailure({ message: "The mail server has closed the connection." })
}
