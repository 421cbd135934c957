/** Syncs one calendar of a server. */
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { fingerprint, makeFingerprints } from "../fingerprints.ts"
import { listedSteps } from "../listedSteps.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { CalendarState, monthOf, windowOf } from "./calendarState.ts"
import type { Dav } from "./dav.ts"
import { type Calendar, lastSegment } from "./discovery.ts"
import type { EventReader } from "./EventReader.ts"
import { makeEventSteps } from "./eventSteps.ts"
import { type Entry, fetchObjects, listCalendar } from "./listing.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  ...CalendarState,
  token: Schema.NullOr(Schema.String)
}))

const CHECKPOINT_INTERVAL = 100

const markOf = ({ etag, url }: Entry): string => fingerprint(new URL(url).pathname, etag)

export async function* syncCalendar(
  dav: Dav,
  reader: EventReader,
  calendar: Calendar,
  { cursor, resource, since }: ResourceSync
): AsyncGenerator<SyncStep> {
  const now = new Date()
  const month = monthOf(now)
  const read = cursors.read(cursor)
  const before = read?.month === month ? read : null
  const token = before?.token ?? null
  if (token !== null && token === calendar.token) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const listing = await listCalendar(dav, calendar, token)
  const idOf = (url: string) => externalId(resource, lastSegment(url))
  for (const url of listing.gone) yield { _tag: "Delete", external_id: idOf(url) }

  const fingerprints = makeFingerprints(before?.known)
  const changed: Array<Entry> = []
  for (const entry of listing.present) {
    const mark = markOf(entry)
    if (entry.etag !== "" && fingerprints.isKnown(mark)) fingerprints.add(mark)
    else changed.push(entry)
  }
  const isWhole = before?.isWhole === true
  // A changed event is emitted even outside the window, because its old time may be stored.
  const stepsOf = makeEventSteps(reader, windowOf(now, since), isWhole || !listing.isComplete ? null : since)
  const total = Math.ceil(changed.length / CHECKPOINT_INTERVAL) + 1
  let withheld = false
  for (let start = 0; start < changed.length; start += CHECKPOINT_INTERVAL) {
    const entries = changed.slice(start, start + CHECKPOINT_INTERVAL)
    for (const [entry, text] of await fetchObjects(dav, calendar, entries)) {
      const external_id = idOf(entry.url)
      if (text === null) {
        withheld = true
        yield { _tag: "Skipped", external_id, reason: "The calendar server does not give the event." }
      } else {
        yield* stepsOf(external_id, text)
        fingerprints.add(markOf(entry))
      }
    }
    const cursor = cursors.write({ v: 1, month, token, known: fingerprints.knownOrFound(), isWhole })
    yield { _tag: "Checkpoint", cursor, done: start / CHECKPOINT_INTERVAL + 1, total }
  }
  if (listing.isComplete) yield* listedSteps(listing.present.map(({ url }) => idOf(url)))

  // With a sync token, no memory of earlier objects is needed, and a text that comes back is a change.
  const needsMemory = !calendar.isSynced || withheld
  const last = cursors.write({
    v: 1,
    month,
    // With the current token, objects that the server failed to return would never be requested again.
    token: withheld ? token : listing.token,
    known: needsMemory ? fingerprints.found() : "",
    isWhole: needsMemory && listing.isComplete
  })
  yield { _tag: "Checkpoint", cursor: last, done: total, total }
}
