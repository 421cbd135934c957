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

const search = async (client: ImapFlow, query: Parameters<ImapFlow["search"]>[0]): Promise<ReadonlyArray<number>> => {
  const uids = await client.search(query, { uid: true })
  if (!Array.isArray(uids)) throw new Error("the folder cannot be searched")
  return uids.sort((a, b) => a - b)
}

function* idsOf(resource: string, uids: ReadonlyArray<number>, attachments: ReadonlyMap<number, number>) {
  for (const uid of uids) {
    const id = externalId(resource, `${uid}`)
    yield id
    for (let at = 1; at <= (attachments.get(uid) ?? 0); at++) yield `${id}.${at}`
  }
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
  const cursorAt = (taken: number, state: string | null): string =>
    cursors.write({ v: 1, validity, taken, state, attachments: writeCounts(attachments) })
  let taken = before?.taken ?? 0
  const range = { uid: `${taken + 1}:*` }
  // Such a range always holds the last mail.
  const uids = mailbox.exists === 0
    ? []
    : (await search(client, since === null ? range : { ...range, since })).filter((uid) => uid > taken)
  // Counted in mails, and the listing at the end.
  const total = uids.length + 1
  let done = 0
  for await (const mails of ahead(makeReadMails(client, reader, resource)(uids))) {
    for (const { steps, uid } of mails) {
      if (steps.length > 1) attachments.set(uid, steps.length - 1)
      yield* steps
      taken = uid
    }
    done += mails.length
    yield { _tag: "Checkpoint", cursor: cursorAt(taken, null), done, total }
  }
  const present = mailbox.exists === 0 && uids.length === 0 ? [] : await search(client, { all: true })
  yield* listed(idsOf(resource, present, attachments))
  const held = new Set(present)
  for (const uid of attachments.keys()) if (!held.has(uid)) attachments.delete(uid)
  yield { _tag: "Checkpoint", cursor: cursorAt(Math.max(taken, mailbox.uidNext - 1), state), done: total, total }
}
