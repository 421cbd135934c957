/** Mails as sync steps: batches are parsed while the next one is fetched. */
import type { SyncStep } from "@tributary/core/ports/Provider"
import type { MailClient } from "./MailClient.ts"
import { mapAhead, prefetch } from "../prefetch.ts"
import { externalId } from "../externalId.ts"
import { fetchMails, type Mail } from "./fetchMails.ts"
import type { MailRead, MailReader } from "./MailReader.ts"
import { MAX_MAIL_BYTES } from "./mailServer.ts"
import { ownMemory } from "./ownMemory.ts"

interface ReadMail {
  readonly uid: number
  readonly steps: ReadonlyArray<SyncStep>
}

const stepsOf = (external_id: string, { source }: Mail, items: MailRead): ReadonlyArray<SyncStep> => {
  if (items !== null) return items.map((item) => ({ _tag: "Upsert", item }))
  const reason = source === null ? `The mail is larger than ${MAX_MAIL_BYTES} bytes.` : "The mail cannot be read."
  return [{ _tag: "Skipped", external_id, reason }]
}

export const readMails = (
  client: MailClient,
  reader: MailReader,
  resource: string,
  uids: AsyncIterable<ReadonlyArray<number>>
): AsyncGenerator<ReadonlyArray<ReadMail>> => {
  const idOf = (uid: number): string => externalId(resource, `${uid}`)

  const documentsOf = async (mails: ReadonlyArray<Mail>): Promise<ReadonlyMap<string, MailRead> | null> => {
    const tasks = mails.flatMap(({ received, source, uid }) =>
      source === null ? [] : [{ id: idOf(uid), received, source }]
    )
    const read = await reader.read(tasks, tasks.flatMap(({ source }) => ownMemory(source)))
    return read === null ? null : new Map(tasks.map(({ id }, at) => [id, read[at] ?? null]))
  }

  const readAll = async (mails: ReadonlyArray<Mail>): Promise<ReadonlyArray<ReadMail>> => {
    const documents = await documentsOf(mails)
    // One mail exceeds a limit: parse the others one by one.
    if (documents === null && mails.length > 1) return readEach(mails.map(({ uid }) => uid))
    return mails.map((mail) => {
      const id = idOf(mail.uid)
      return { uid: mail.uid, steps: stepsOf(id, mail, documents?.get(id) ?? null) }
    })
  }

  const readEach = async (uids: ReadonlyArray<number>): Promise<ReadonlyArray<ReadMail>> => {
    const each: Array<ReadMail> = []
    for (const uid of uids) {
      for await (const mails of fetchMails(client, [[uid]])) each.push(...await readAll(mails))
    }
    return each
  }

  return prefetch(mapAhead(prefetch(fetchMails(client, uids)), readAll))
}
