/** The thread that parses mails. */
import { port } from "../readerPort.ts"
import { mailItems } from "./mime/mailItems.ts"
import type { MailRead, MailTask } from "./MailReader.ts"
import { ownMemory } from "./ownMemory.ts"

const read = async (mails: ReadonlyArray<MailTask>): Promise<void> => {
  const all: Array<MailRead> = []
  // The parser throws only for absurdly deep nesting or long heads.
  for (const mail of mails) all.push(await mailItems(mail).catch(() => null))
  const items = all.flatMap((one) => one ?? [])
  port.postMessage(all, items.flatMap((item) => "file" in item ? ownMemory(item.file.bytes) : []))
}

port.on("message", (mails: ReadonlyArray<MailTask>) => void read(mails))
