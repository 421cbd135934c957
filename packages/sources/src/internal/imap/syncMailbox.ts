/**
 * Syncs one folder.
 *
 * A mail never changes. New mails have higher UIDs, and mails that are not listed any more are gone. If the server
 * reports removed mails, nothing is listed. Flags are ignored.
 */
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { prefetch } from "../prefetch.ts"
import { cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { listedSteps } from "../listedSteps.ts"
import { readCounts, writeCounts } from "./mime/attachmentCounts.ts"
import { hasSameMails, readState, stateOf, writeState } from "./folderState.ts"
import { removedMails } from "./removedMails.ts"
import { areLastMails, lastMails } from "./lastMails.ts"
import type { MailClient } from "./MailClient.ts"
import type { MailReader } from "./MailReader.ts"
import { endOf, numbersWithin } from "./numbers.ts"
import { makeReadMails } from "./readMails.ts"

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

interface MailboxSync {
  readonly resource: string
  readonly cursor: string | null
  readonly since: Date | null
}

export async function* syncMailbox(
  client: MailClient,
  reader: MailReader,
  { cursor, resource, since }: MailboxSync
): AsyncGenerator<SyncStep> {
  const mailbox = await client.mailboxOpen(resource, { readOnly: true })
  const validity = `${mailbox.uidValidity}`
  const now = stateOf(mailbox)
  const state = now === null ? null : writeState(now)
  const read = cursors.read(cursor)
  const known = readState(read?.state ?? null)
  // A folder that was restored from a backup reuses UIDs.
  const isRestored = async ({ last, taken }: { readonly last?: string | null; readonly taken: number }) =>
    (known !== null && now !== null && now.uidNext < known.uidNext) ||
    (typeof last === "string" && taken > 0 && !await areLastMails(client, last, taken))
  const before = read?.validity === validity && !await isRestored(read) ? read : null
  if (before !== null && hasSameMails(known, now)) {
    yield { _tag: "Checkpoint", cursor: cursors.write({ ...before, state }), done: 1, total: 1 }
    return
  }
  const start = before?.taken ?? 0
  const attachments = readCounts(before?.attachments ?? "")
  const cursorAt = (taken: number, counts: ReadonlyMap<number, number>, state: string | null, last: string | null) =>
    cursors.write({ v: 1, validity, taken, state, last, attachments: writeCounts(counts) })
  // Mails that arrived while the last sync started were stored, too, but were not in the folder before it.
  const canTell = before !== null && known !== null && now !== null && start < known.uidNext
  const gone = canTell ? await removedMails(client, known, now) : null
  const end = mailbox.exists === 0 ? 1 : await endOf(client, mailbox)
  // Measured in UIDs, plus one step for the end.
  const total = Math.max(end - 1 - start, 0) + 1
  const readMails = makeReadMails(client, reader, resource)
  const idsOf = function*(uid: number) {
    const id = externalId(resource, `${uid}`)
    yield id
    for (let at = 1; at <= (attachments.get(uid) ?? 0); at++) yield `${id}.${at}`
  }
  let taken = start
  for await (const uids of numbersWithin(client, start + 1, end, since)) {
    for await (const mails of prefetch(readMails(uids))) {
      for (const { steps, uid } of mails) {
        if (steps.length > 1) attachments.set(uid, steps.length - 1)
        yield* steps
        taken = uid
      }
      yield { _tag: "Checkpoint", cursor: cursorAt(taken, attachments, null, null), done: taken - start, total }
    }
  }
  const kept = new Map<number, number>()
  const allIds = async function*() {
    for await (const uids of numbersWithin(client, 1, end, null)) {
      for (const uid of uids) {
        const count = attachments.get(uid) ?? 0
        if (count > 0) kept.set(uid, count)
        yield* idsOf(uid)
      }
    }
  }
  if (gone === null) yield* listedSteps(allIds())
  for (const uid of gone ?? []) {
    for (const external_id of idsOf(uid)) yield { _tag: "Delete", external_id }
    attachments.delete(uid)
  }
  const counts = gone === null ? kept : attachments
  const highest = Math.max(start, end - 1)
  const last = await lastMails(client, mailbox, highest)
  yield { _tag: "Checkpoint", cursor: cursorAt(highest, counts, state, last), done: total, total }
}
