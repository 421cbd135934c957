/** The steps of a sync of one calendar on a server. */
import { DigestSet } from "@tributary/core/DigestSet"
import { type SyncStep } from "@tributary/core/ports/Provider"
import { externalId } from "../externalId.ts"
import { decodeFingerprints, encodeFingerprints, fingerprint } from "../Fingerprints.ts"
import { listed } from "../listed.ts"
import { cursors, monthOf, windowOf } from "./calendarState.ts"
import type { Dav } from "./dav.ts"
import { type Calendar, lastSegment } from "./discovery.ts"
import type { EventReader } from "./EventReader.ts"
import { eventStep } from "./eventStep.ts"
import { type Entry, fetchObjects, listCalendar } from "./listing.ts"

const BETWEEN_CHECKPOINTS = 100

export interface CalendarSync {
  readonly resource: string
  readonly cursor: string | null
  readonly since: Date | null
}

const markOf = ({ etag, url }: Entry): string => fingerprint(new URL(url).pathname, etag)

export async function* syncCalendar(
  dav: Dav,
  reader: EventReader,
  calendar: Calendar,
  { cursor, resource, since }: CalendarSync
): AsyncGenerator<SyncStep> {
  const now = new Date()
  const month = monthOf(now)
  const read = cursors.read(cursor)
  const before = read?.month === month ? read : null
  if (before !== null && before.token !== null && before.token === calendar.token) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const listing = await listCalendar(dav, calendar, before?.token ?? null)
  const known = decodeFingerprints(before?.known ?? "")
  const idOf = (url: string) => externalId(resource, lastSegment(url))
  const changed = listing.present.filter((entry) => entry.etag === "" || !known.has(markOf(entry)))
  for (const url of listing.gone) yield { _tag: "Delete", external_id: idOf(url) }
  const taken = decodeFingerprints(before?.known ?? "")
  const total = Math.ceil(changed.length / BETWEEN_CHECKPOINTS) + 1
  for (let start = 0; start < changed.length; start += BETWEEN_CHECKPOINTS) {
    const entries = changed.slice(start, start + BETWEEN_CHECKPOINTS)
    const objects = await fetchObjects(dav, calendar, entries.map(({ url }) => url))
    for (const entry of entries) {
      const text = objects.get(entry.url)
      const step = text === undefined
        ? null
        : await eventStep(reader, idOf(entry.url), text, windowOf(now, since), since)
      if (step !== null) yield step
      if (text !== undefined) taken.add(markOf(entry))
    }
    const state = { v: 1 as const, month, token: before?.token ?? null, known: encodeFingerprints(taken) }
    yield { _tag: "Checkpoint", cursor: cursors.write(state), done: start / BETWEEN_CHECKPOINTS + 1, total }
  }
  if (listing.isComplete) yield* listed(listing.present.map(({ url }) => idOf(url)))
  // A token that tells what changed needs no memory of what was there; and a text that returns is a change to it.
  const present = new DigestSet()
  for (const mark of calendar.isSynced ? [] : listing.present.map(markOf)) if (taken.has(mark)) present.add(mark)
  const state = { v: 1 as const, month, token: listing.token, known: encodeFingerprints(present) }
  yield { _tag: "Checkpoint", cursor: cursors.write(state), done: total, total }
}
