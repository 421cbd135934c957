/** Syncs a calendar that is published as one file. */
import { FatalFailure, RetryableFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { CHECKPOINT_INTERVAL, cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { fingerprint, makeFingerprints } from "../fingerprints.ts"
import { listedSteps } from "../listedSteps.ts"
import { fetchChanged, NO_VERSION, WebVersion } from "../network/fetchChanged.ts"
import type { WebAddress, WebClient } from "../network/webClient.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import type { CalendarSplitter, Split } from "./CalendarSplitter.ts"
import { CalendarState, monthOf, windowOf } from "./calendarState.ts"
import type { EventReader } from "./EventReader.ts"
import { makeEventSteps } from "./eventSteps.ts"
import type { CalendarObject } from "./splitCalendar.ts"

const cursors = cursorFormat(Schema.Struct({ v: Schema.Literal("file"), ...CalendarState, ...WebVersion }))

const MAX_BYTES = 16_777_216
const HEADERS = { accept: "text/calendar, */*;q=0.5" }

const objectsIn = (split: Split | null, host: string): ReadonlyArray<CalendarObject> => {
  if (split === null || split === "forgotten") {
    throw new RetryableFailure({ message: `The calendar at ${host} takes too much time or memory to read.` })
  }
  if (split === "no calendar") throw new FatalFailure({ message: `What ${host} answers is no calendar.` })
  if (split === "unfinished") throw new RetryableFailure({ message: `The calendar at ${host} ends in the middle.` })
  return split
}

/** Null if it has not changed since the version before. */
export const fetchCalendar = async (
  client: WebClient,
  splitter: CalendarSplitter,
  file: WebAddress,
  signal: AbortSignal,
  before: WebVersion = NO_VERSION
) => {
  const published = await fetchChanged(client, { ...file, signal, headers: HEADERS, maxBytes: MAX_BYTES }, before)
  if (published === null) return null
  const { body, headers } = published.answer
  const { host } = new URL(file.url)
  const split = (from: number) => splitter.read({ bytes: body, contentType: headers.get("content-type"), from })
  const first = objectsIn(await split(0), host)
  const more = async (from: number) => {
    const next = await splitter.read("more")
    return objectsIn(next === "forgotten" ? await split(from) : next, host)
  }
  return {
    version: published.version,
    objects: async function*(): AsyncGenerator<CalendarObject> {
      let from = 0
      for (let objects = first; objects.length > 0; objects = await more(from)) {
        yield* objects
        from += objects.length
      }
    }
  }
}

/** DTSTAMP is when the file was made, not when the event changed. Line by line, because a value may not end. */
const withoutStamps = (text: string): string => text.split("\n").filter((line) => !/^DTSTAMP/i.test(line)).join("\n")

export async function* syncCalendarFile(
  client: WebClient,
  { reader, splitter }: { readonly reader: EventReader; readonly splitter: CalendarSplitter },
  file: WebAddress,
  { cursor, resource, since }: ResourceSync,
  signal: AbortSignal
): AsyncGenerator<SyncStep> {
  const now = new Date()
  const month = monthOf(now)
  const read = cursors.read(cursor)
  const before = read?.month === month ? read : null
  const calendar = await fetchCalendar(client, splitter, file, signal, before ?? NO_VERSION)
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
  const listed: Array<string> = []
  for await (const { text, uid } of objects()) {
    const external_id = externalId(resource, uid)
    listed.push(external_id)
    const mark = fingerprint(uid, withoutStamps(text))
    const isKnown = fingerprints.isKnown(mark)
    fingerprints.add(mark)
    if (isKnown) continue
    yield* stepsOf(external_id, text)
    if (++changed % CHECKPOINT_INTERVAL !== 0) continue
    const done = changed / CHECKPOINT_INTERVAL
    const known = fingerprints.knownOrFound()
    const cursor = cursors.write({ v: "file", month, ...NO_VERSION, known, isWhole })
    yield { _tag: "Checkpoint", cursor, done, total: done + 1 }
  }
  yield* listedSteps(listed)
  const last = cursors.write({ v: "file", month, ...version, known: fingerprints.found(), isWhole: true })
  const total = Math.floor(changed / CHECKPOINT_INTERVAL) + 1
  yield { _tag: "Checkpoint", cursor: last, done: total, total }
}
