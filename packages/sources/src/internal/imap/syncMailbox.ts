/**
 * The steps of a sync of one folder.
 *
 * A mail never changes: new ones have higher numbers, and what is no longer listed is gone. So neither flags nor their
 * sequences matter, and every server offers what this needs.
 */
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import type { ImapFlow } from "imapflow"
import { ahead } from "../ahead.ts"
import { cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { listed } from "../listed.ts"
import { readCounts, writeCounts } from "./attachmentCounts.ts"
import type { MailReader } from "./MailReader.ts"
import { endOf, numbersWithin } from "./numbers.ts"
import { makeReadMails } from "./readMails.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** Of the numbers of mails: once it changes, they name others. */
  validity: Schema.String,
  /** The highest number that is stored. */
  taken: Schema.Int,
  /** What the folder said of itself at the last complete sync: as long as it says the same, nothing has changed. */
  state: Schema.NullOr(Schema.String),
  attachments: Schema.String
}))

export interface MailboxSync {
  readonly resource: string
  readonly cursor: string | null
  readonly since: Date | null
}

export async function* syncMailbox(
  client: ImapFlow,
  reader: MailReader,
  { cursor, resource, since }: MailboxSync
): AsyncGenerator<SyncStep> {
  const mailbox = await client.mailboxOpen(resource, { readOnly: true })
  const validity = `${mailbox.uidValidity}`
  const state = `${mailbox.uidNext} ${mailbox.exists}`
  const read = cursors.read(cursor)
  const before = read?.validity === validity ? read : null
  if (before?.state === state) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const attachments = readCounts(before?.attachments ?? "")
  const cursorAt = (taken: number, counts: ReadonlyMap<number, number>, state: string | null): string =>
    cursors.write({ v: 1, validity, taken, state, attachments: writeCounts(counts) })
  const start = before?.taken ?? 0
  const end = mailbox.exists === 0 ? 1 : await endOf(client, mailbox)
  // Counted in numbers of mails, and the listing at the end.
  const total = Math.max(end - 1 - start, 0) + 1
  const readMails = makeReadMails(client, reader, resource)
  let taken = start
  for await (const uids of numbersWithin(client, start + 1, end, since)) {
    for await (const mails of ahead(readMails(uids))) {
      for (const { steps, uid } of mails) {
        if (steps.length > 1) attachments.set(uid, steps.length - 1)
        yield* steps
        taken = uid
      }
      yield { _tag: "Checkpoint", cursor: cursorAt(taken, attachments, null), done: taken - start, total }
    }
  }
  const kept = new Map<number, number>()
  const idsOf = async function*() {
    for await (const uids of numbersWithin(client, 1, end, null)) {
      for (const uid of uids) {
        const id = externalId(resource, `${uid}`)
        const count = attachments.get(uid) ?? 0
        if (count > 0) kept.set(uid, count)
        yield id
        for (let at = 1; at <= count; at++) yield `${id}.${at}`
      }
    }
  }
  yield* listed(idsOf())
  yield { _tag: "Checkpoint", cursor: cursorAt(Math.max(start, end - 1), kept, state), done: total, total }
}
