/** Syncs one calendar of a server. */
import { DigestSet } from "@tributary/core/DigestSet"
import { type SyncStep } from "@tributary/core/ports/Provider"
import { externalId } from "../externalId.ts"
import { decodeFingerprints, encodeFingerprints, fingerprint } from "../Fingerprints.ts"
import { listedSteps } from "../listedSteps.ts"
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
  const isWhole = before?.isWhole === true
  // A changed event is emitted even outside the window, because its old time may be stored.
  const reach = isWhole || !listing.isComplete ? null : since
  let withheld = false
  const total = Math.ceil(changed.length / BETWEEN_CHECKPOINTS) + 1
  for (let start = 0; start < changed.length; start += BETWEEN_CHECKPOINTS) {
    const entries = changed.slice(start, start + BETWEEN_CHECKPOINTS)
    for (const [entry, text] of await fetchObjects(dav, calendar, entries)) {
      const id = idOf(entry.url)
      if (text === undefined) {
        withheld = true
        yield { _tag: "Skipped", external_id: id, reason: "The calendar server does not give the event." }
      } else if (text !== null) {
        const step = await eventStep(reader, id, text, windowOf(now, since), reach)
        if (step !== null) yield step
        taken.add(markOf(entry))
      }
    }
    const state = { v: 1 as const, month, token: before?.token ?? null, known: encodeFingerprints(taken), isWhole }
    yield { _tag: "Checkpoint", cursor: cursors.write(state), done: start / BETWEEN_CHECKPOINTS + 1, total }
  }
  if (listing.isComplete) yield* listedSteps(listing.present.map(({ url }) => idOf(url)))
  // With a sync token, no memory of earlier objects is needed, and a text that comes back is a change.
  const needsMemory = !calendar.isSynced || withheld
  const present = new DigestSet()
  for (const mark of needsMemory ? listing.present.map(markOf) : []) if (taken.has(mark)) present.add(mark)
  // With the current token, objects that the server failed to return would never be requested again.
  const token = withheld ? before?.token ?? null : listing.token
  const state = {
    v: 1 as const,
    month,
    token,
    known: encodeFingerprints(present),
    isWhole: needsMemory && listing.isComplete
  }
  yield { _tag: "Checkpoint", cursor: cursors.write(state), done: total, total }
}
