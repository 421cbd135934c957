/** Syncs a calendar that is published as one file. */
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { BETWEEN_CHECKPOINTS, cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { fingerprint, makeFingerprints } from "../fingerprints.ts"
import { listedSteps } from "../listedSteps.ts"
import { bodyText } from "../network/bodyText.ts"
import { fetchChanged, NO_VERSION, WebVersion } from "../network/fetchChanged.ts"
import type { WebAddress, WebClient } from "../network/webClient.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { CalendarState, monthOf, windowOf } from "./calendarState.ts"
import type { EventReader } from "./EventReader.ts"
import { makeEventSteps } from "./eventSteps.ts"
import { splitCalendar, unfolded } from "./splitCalendar.ts"

const cursors = cursorFormat(Schema.Struct({ v: Schema.Literal("file"), ...CalendarState, ...WebVersion }))

const MAX_BYTES = 16_777_216
const HEADERS = { accept: "text/calendar, */*;q=0.5" }

/** Null if it has not changed since the version before. */
export const fetchCalendar = async (
  client: WebClient,
  file: WebAddress,
  signal: AbortSignal,
  before: WebVersion = NO_VERSION
) => {
  const published = await fetchChanged(client, { ...file, signal, headers: HEADERS, maxBytes: MAX_BYTES }, before)
  if (published === null) return null
  const { body, headers } = published.answer
  const objects = splitCalendar(bodyText(unfolded(body), headers.get("content-type")), new URL(file.url).host)
  return { objects, version: published.version }
}

/** DTSTAMP is when the file was made, not when the event changed. Line by line, because a value may not end. */
const withoutStamps = (text: string): string => text.split("\n").filter((line) => !/^DTSTAMP/i.test(line)).join("\n")

export async function* syncCalendarFile(
  client: WebClient,
  reader: EventReader,
  file: WebAddress,
  { cursor, resource, since }: ResourceSync,
  signal: AbortSignal
): AsyncGenerator<SyncStep> {
  const now = new Date()
  const month = monthOf(now)
  const read = cursors.read(cursor)
  const before = read?.month === month ? read : null
  const calendar = await fetchCalendar(client, file, signal, before ?? NO_VERSION)
  if (calendar === null) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const { objects, version } = calendar
  const fingerprints = makeFingerprints(before?.known)
  const isWhole = before?.isWhole === true
  // As for a calendar on a server.
  const stepsOf = makeEventSteps(reader, windowOf(now, since), isWhole ? null : since)
  let changed = 0
  for (const [uid, textOf] of objects) {
    const text = textOf()
    const mark = fingerprint(uid, withoutStamps(text))
    const isKnown = fingerprints.isKnown(mark)
    fingerprints.add(mark)
    if (isKnown) continue
    yield* stepsOf(externalId(resource, uid), text)
    if (++changed % BETWEEN_CHECKPOINTS !== 0) continue
    const done = changed / BETWEEN_CHECKPOINTS
    const known = fingerprints.knownOrFound()
    const cursor = cursors.write({ v: "file", month, ...NO_VERSION, known, isWhole })
    yield { _tag: "Checkpoint", cursor, done, total: done + 1 }
  }
  yield* listedSteps(Array.from(objects.keys(), (uid) => externalId(resource, uid)))
  const last = cursors.write({ v: "file", month, ...version, known: fingerprints.found(), isWhole: true })
  const total = Math.floor(changed / BETWEEN_CHECKPOINTS) + 1
  yield { _tag: "Checkpoint", cursor: last, done: total, total }
}
