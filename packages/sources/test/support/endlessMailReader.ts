/** A reader's thread that never comes to the end of some mails. */
import { port } from "../../src/internal/readerPort.ts"
import type { MailRead, MailTask } from "../../src/internal/imap/MailReader.ts"

const itemsOf = ({ id, received, source }: MailTask): MailRead => {
  if (Buffer.from(source).includes("works forever")) { for (;;) performance.now() }
  return [{ external_id: id, timestamp: received, payload: { kind: "email" } }]
}

port.on("message", (mails: ReadonlyArray<MailTask>) => port.postMessage(mails.map(itemsOf), []))
