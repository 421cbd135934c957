/** Syncs a calendar that is published as one file. */
import { DigestSet } from "@tributary/core/DigestSet"
import { type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { decodeFingerprints, encodeFingerprints, fingerprint } from "../Fingerprints.ts"
import { listedSteps } from "../listedSteps.ts"
import { type Credentials, unchanged, type WebClient } from "../network/webClient.ts"
import { isWhole, monthOf, windowOf } from "./calendarState.ts"
import type { EventReader } from "./EventReader.ts"
import { eventStep } from "./eventStep.ts"
import { splitCalendar } from "./splitCalendar.ts"
import type { CalendarSync } from "./syncCalendar.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal("file"),
  month: Schema.String,
  etag: Schema.NullOr(Schema.String),
  modified: Schema.NullOr(Schema.String),
  known: Schema.String,
  isWhole
}))

const BETWEEN_CHECKPOINTS = 500
const MAX_BYTES = 16_777_216

interface CalendarFile {
  readonly url: string
  readonly credentials: Credentials | undefined
}

/** Null if it is unchanged. */
export const fetchCalendar = async (
  client: WebClient,
  file: CalendarFile,
  headers: Record<string, string>,
  signal: AbortSignal
) => {
  const answer = await client({
    ...file,
    signal,
    headers: { accept: "text/calendar, */*;q=0.5", ...headers },
    accepts: unchanged(headers),
    maxBytes: MAX_BYTES
  })
  if (answer.status === 304) return null
  const objects = splitCalendar(new TextDecoder().decode(answer.body), new URL(file.url).host)
  return { objects, etag: answer.headers.get("etag"), modified: answer.headers.get("last-modified") }
}

/** DTSTAMP is when the file was made, not when the event changed. Line by line, because a value may not end. */
const withoutStamps = (text: string): string => text.split("\n").filter((line) => !/^DTSTAMP/i.test(line)).join("\n")

export async function* syncCalendarFile(
  client: WebClient,
  reader: EventReader,
  file: CalendarFile,
  { cursor, resource, since }: CalendarSync,
  signal: AbortSignal
): AsyncGenerator<SyncStep> {
  const now = new Date()
  const month = monthOf(now)
  const read = cursors.read(cursor)
  const before = read?.month === month ? read : null
  const answer = await fetchCalendar(client, file, {
    ...(before?.etag ? { "if-none-match": before.etag } : {}),
    ...(before?.modified ? { "if-modified-since": before.modified } : {})
  }, signal)
  if (answer === null) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const known = decodeFingerprints(before?.known ?? "")
  const taken = decodeFingerprints(before?.known ?? "")
  const present = new DigestSet()
  // As for a calendar on a server.
  const reach = before?.isWhole === true ? null : since
  let unsaved = 0
  let done = 0
  for (const [uid, textOf] of answer.objects) {
    const id = externalId(resource, uid)
    const text = textOf()
    const mark = fingerprint(uid, withoutStamps(text))
    taken.add(mark)
    present.add(mark)
    if (known.has(mark)) continue
    const step = await eventStep(reader, id, text, windowOf(now, since), reach)
    if (step !== null) yield step
    if (++unsaved % BETWEEN_CHECKPOINTS !== 0) continue
    const state = { v: "file" as const, month, etag: null, modified: null }
    const cursor = cursors.write({ ...state, known: encodeFingerprints(taken), isWhole: before?.isWhole === true })
    yield { _tag: "Checkpoint", cursor, done: ++done, total: done + 1 }
  }
  yield* listedSteps(Array.from(answer.objects.keys(), (uid) => externalId(resource, uid)))
  const { etag, modified } = answer
  const state = { v: "file" as const, month, etag, modified, known: encodeFingerprints(present), isWhole: true }
  yield { _tag: "Checkpoint", cursor: cursors.write(state), done: done + 1, total: done + 1 }
}
