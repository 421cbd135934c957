/**
 * Syncs one folder.
 *
 * A mail never changes. New mails have higher UIDs, and mails that are not listed any more are gone. If the server
 * reports removed mails, nothing is listed. Flags are ignored.
 */
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import { listedSteps } from "../listedSteps.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { hasSameMails, readState, stateOf, writeState } from "./folderState.ts"
import { removedMails } from "./removedMails.ts"
import { isRestored, lastMails } from "./lastMails.ts"
import type { MailClient } from "./MailClient.ts"
import { makeMailDocuments } from "./mailDocuments.ts"
import type { MailReader } from "./MailReader.ts"
import { endOf, numbersWithin } from "./numbers.ts"
import { readMails } from "./readMails.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** UIDVALIDITY: when it changes, UIDs name other mails. */
  validity: Schema.String,
  /** The highest stored UID. */
  taken: Schema.Int,
  /** The folder's state at the last complete sync. */
  state: Schema.NullOr(Schema.String),
  /** The last mails at that time. */
  last: Schema.optionalKey(Schema.NullOr(Schema.String)),
  attachments: Schema.String
}))

export async function* syncMailbox(
  client: MailClient,
  reader: MailReader,
  { cursor, resource, since }: ResourceSync
): AsyncGenerator<SyncStep> {
  const mailbox = await client.mailboxOpen(resource, { readOnly: true })
  const validity = `${mailbox.uidValidity}`
  const now = stateOf(mailbox)
  const state = now === null ? null : writeState(now)
  const read = cursors.read(cursor)
  const known = readState(read?.state)
  const before = read?.validity === validity && !await isRestored(client, read, known, now) ? read : null
  if (before !== null && hasSameMails(known, now)) {
    yield { _tag: "Checkpoint", cursor: cursors.write({ ...before, state }), done: 1, total: 1 }
    return
  }
  const start = before?.taken ?? 0
  const removed = before === null ? null : await removedMails(client, known, now, start)
  const end = mailbox.exists === 0 ? 1 : await endOf(client, mailbox)
  const highest = Math.max(start, end - 1)
  // Measured in UIDs, plus one step for the end.
  const total = highest - start + 1
  const documents = makeMailDocuments(resource, before?.attachments)
  const cursorAt = (taken: number, state: string | null, last: string | null) =>
    cursors.write({ v: 1, validity, taken, state, last, attachments: documents.text() })

  let taken = start
  for await (const mails of readMails(client, reader, resource, numbersWithin(client, start + 1, end, since))) {
    for (const { steps, uid } of mails) {
      documents.add(uid, steps.length)
      yield* steps
      taken = uid
    }
    yield { _tag: "Checkpoint", cursor: cursorAt(taken, null, null), done: taken - start, total }
  }
  if (removed === null) yield* listedSteps(documents.idsOfAll(numbersWithin(client, 1, end, null)))
  for (const external_id of (removed ?? []).flatMap((uid) => documents.remove(uid))) {
    yield { _tag: "Delete", external_id }
  }
  const last = await lastMails(client, mailbox, highest)
  yield { _tag: "Checkpoint", cursor: cursorAt(highest, state, last), done: total, total }
}
