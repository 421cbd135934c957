/** Syncs a feed. Entries that drop out of it stay stored: a feed is a window, not a complete list. */
import { FatalFailure, RetryableFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { CHECKPOINT_INTERVAL, cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { fingerprint, makeFingerprints } from "../fingerprints.ts"
import { isWithin } from "../isWithin.ts"
import { fetchChanged, NO_VERSION, WebVersion } from "../network/fetchChanged.ts"
import type { WebAddress, WebAnswer, WebClient } from "../network/webClient.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { filled } from "../storable.ts"
import type { FeedEntry } from "./FeedEntry.ts"
import type { FeedReaders } from "./FeedReader.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  ...WebVersion,
  /** The entries that were already emitted, as `Fingerprints`. */
  known: Schema.String,
  /** Whether the feed was read to its end once. */
  isWhole: Schema.optionalKey(Schema.Boolean)
}))

const ACCEPT = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"

const stepOf = (resource: string, entry: FeedEntry, now: Date): SyncStep => ({
  _tag: "Upsert",
  item: {
    external_id: externalId(resource, entry.id),
    timestamp: entry.published ?? now,
    payload: {
      kind: "page",
      ...filled({
        title: entry.title,
        url: entry.url,
        content: entry.content,
        content_type: entry.contentType,
        authors: entry.authors.filter((name) => name !== ""),
        labels: entry.labels.filter((name) => name !== "")
      })
    }
  }
})

const entriesOf = async (readers: FeedReaders, answer: WebAnswer): Promise<ReadonlyArray<FeedEntry>> => {
  const { host, origin, pathname } = new URL(answer.url)
  const task = {
    bytes: answer.body,
    contentType: answer.headers.get("content-type"),
    // The base URL becomes part of links, and its query may contain a secret.
    url: origin + pathname
  }
  const read = await readers.use((reader) => reader.read(task, [answer.body.buffer]))
  if (read === null) {
    throw new RetryableFailure({ message: `The feed of ${host} takes too much time or memory to read.` })
  }
  if ("unfinished" in read) throw new RetryableFailure({ message: `The feed of ${host} ends in the middle.` })
  if ("entries" in read) return read.entries
  const hint = read.named === null ? "" : ` The page names this one: ${read.named}`
  throw new FatalFailure({ message: `What ${host} answers is no RSS, Atom or JSON feed.${hint}` })
}

/** The entries, or null if nothing changed since the version before. */
export const fetchFeed = async (
  client: WebClient,
  readers: FeedReaders,
  address: WebAddress,
  signal: AbortSignal,
  before: WebVersion = NO_VERSION
) => {
  const published = await fetchChanged(client, { ...address, signal, headers: { accept: ACCEPT } }, before)
  if (published === null) return null
  return { entries: await entriesOf(readers, published.answer), version: published.version }
}

export async function* syncFeed(
  client: WebClient,
  readers: FeedReaders,
  address: WebAddress,
  { cursor, resource, since: start }: ResourceSync,
  signal: AbortSignal
): AsyncGenerator<SyncStep> {
  const before = cursors.read(cursor)
  const feed = await fetchFeed(client, readers, address, signal, before ?? NO_VERSION)
  if (feed === null) {
    yield { _tag: "Checkpoint", cursor: cursor!, done: 1, total: 1 }
    return
  }
  const { entries, version } = feed
  const fingerprints = makeFingerprints(before?.known)
  const isWhole = before?.isWhole === true
  // Later, a changed entry is emitted even from before the start, because its old text may be stored.
  const since = isWhole ? null : start
  const now = new Date()
  const total = Math.ceil(entries.length / CHECKPOINT_INTERVAL) || 1
  for (const [at, entry] of entries.entries()) {
    const mark = fingerprint(JSON.stringify(entry))
    const isKnown = fingerprints.isKnown(mark)
    if (!isKnown && isWithin(since, entry.published ?? now)) yield stepOf(resource, entry, now)
    fingerprints.add(mark)
    if ((at + 1) % CHECKPOINT_INTERVAL !== 0 || at + 1 === entries.length) continue
    const cursor = cursors.write({ v: 1, ...NO_VERSION, known: fingerprints.knownOrFound(), isWhole })
    yield { _tag: "Checkpoint", cursor, done: (at + 1) / CHECKPOINT_INTERVAL, total }
  }
  const last = cursors.write({ v: 1, ...version, known: fingerprints.found(), isWhole: true })
  yield { _tag: "Checkpoint", cursor: last, done: total, total }
}
