/** Syncs a feed. Entries that drop out of it stay stored: a feed is a window, not a complete list. */
import { DigestSet } from "@tributary/core/DigestSet"
import { FatalFailure, RetryableFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { decodeFingerprints, encodeFingerprints, fingerprint } from "../Fingerprints.ts"
import { isWithin } from "../isWithin.ts"
import { type Credentials, unchanged, type WebAnswer, type WebClient } from "../network/webClient.ts"
import { filled } from "../storable.ts"
import type { FeedEntry } from "./FeedEntry.ts"
import { makeFeedReader } from "./FeedReader.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  etag: Schema.NullOr(Schema.String),
  modified: Schema.NullOr(Schema.String),
  /** The entries that were already emitted, as `Fingerprints`. */
  known: Schema.String
}))

const BETWEEN_CHECKPOINTS = 500

const ACCEPT = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"

interface FeedSync {
  readonly url: string
  readonly credentials: Credentials | undefined
  readonly resource: string
  readonly cursor: string | null
  readonly since: Date | null
}

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

const entriesOf = async (answer: WebAnswer): Promise<ReadonlyArray<FeedEntry> | null> => {
  const { host, origin, pathname } = new URL(answer.url)
  const reader = makeFeedReader()
  try {
    const task = {
      bytes: answer.body,
      contentType: answer.headers.get("content-type"),
      // The base URL becomes part of links, and its query may contain a secret.
      url: origin + pathname
    }
    const read = await reader.read(task, [answer.body.buffer])
    if (read === null) {
      throw new RetryableFailure({ message: `The feed of ${host} takes too much time or memory to read.` })
    }
    if ("unfinished" in read) throw new RetryableFailure({ message: `The feed of ${host} ends in the middle.` })
    return read.entries
  } finally {
    await reader.end()
  }
}

/** The entries, or null if nothing changed since the response of `headers`. */
export const fetchFeed = async (
  client: WebClient,
  { credentials, url }: Pick<FeedSync, "credentials" | "url">,
  headers: Record<string, string>,
  signal: AbortSignal
) => {
  const answer = await client({
    url,
    credentials,
    signal,
    headers: { accept: ACCEPT, ...headers },
    accepts: unchanged(headers)
  })
  if (answer.status === 304) return null
  const entries = await entriesOf(answer)
  if (entries === null) {
    throw new FatalFailure({ message: `What ${new URL(url).host} answers is no RSS, Atom or JSON feed.` })
  }
  return { entries, etag: answer.headers.get("etag"), modified: answer.headers.get("last-modified") }
}

export async function* syncFeed(client: WebClient, sync: FeedSync, signal: AbortSignal): AsyncGenerator<SyncStep> {
  const before = cursors.read(sync.cursor)
  const answer = await fetchFeed(client, sync, {
    ...(before?.etag ? { "if-none-match": before.etag } : {}),
    ...(before?.modified ? { "if-modified-since": before.modified } : {})
  }, signal)
  if (answer === null) {
    yield { _tag: "Checkpoint", cursor: sync.cursor!, done: 1, total: 1 }
    return
  }
  const known = decodeFingerprints(before?.known ?? "")
  const taken = decodeFingerprints(before?.known ?? "")
  const given = new DigestSet()
  const now = new Date()
  const total = Math.ceil(answer.entries.length / BETWEEN_CHECKPOINTS) || 1
  for (const [at, entry] of answer.entries.entries()) {
    const mark = fingerprint(JSON.stringify(entry))
    if (!known.has(mark) && isWithin(sync.since, entry.published ?? now)) yield stepOf(sync.resource, entry, now)
    taken.add(mark)
    given.add(mark)
    if ((at + 1) % BETWEEN_CHECKPOINTS !== 0 || at + 1 === answer.entries.length) continue
    const state = { v: 1 as const, etag: null, modified: null, known: encodeFingerprints(taken) }
    yield { _tag: "Checkpoint", cursor: cursors.write(state), done: (at + 1) / BETWEEN_CHECKPOINTS, total }
  }
  const state = { v: 1 as const, etag: answer.etag, modified: answer.modified, known: encodeFingerprints(given) }
  yield { _tag: "Checkpoint", cursor: cursors.write(state), done: total, total }
}
