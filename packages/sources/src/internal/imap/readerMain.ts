/** The thread that parses mails. */
import { port } from "../readerPort.ts"
import { mailItems } from "./mailItems.ts"
import type { MailRead, MailTask } from "./MailReader.ts"
import { ownMemory } from "./ownMemory.ts"

const tryItems = (mail: MailTask): MailRead => {
  try {
    return mailItems(mail)
  } catch {
    return null
  }
}

const read = (mails: ReadonlyArray<MailTask>): void => {
  const all = mails.map(tryItems)
  const items = all.flatMap((one) => one ?? [])
  port.postMessage(all, items.flatMap((item) => "file" in item ? ownMemory(item.file.bytes) : []))
}

port.on("message", (mails: ReadonlyArray<MailTask>) => read(mails))
