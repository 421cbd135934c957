/** Lists the objects of a calendar, or those that changed. */
import { CredentialsRefused, FatalFailure, SourceGone } from "@tributary/core/ports/Provider"
import { textOf } from "../xml.ts"
import { type Dav, type DavResponse, escapeXml, NAMESPACES, propfind } from "./dav.ts"
import { type Calendar, decoded } from "./discovery.ts"

export interface Entry {
  readonly url: string
  readonly etag: string
}

export interface Listing {
  readonly present: ReadonlyArray<Entry>
  readonly gone: ReadonlyArray<string>
  /** Whether `present` is complete. */
  readonly isComplete: boolean
  readonly token: string | null
}

// The lookbehind avoids quadratic time for a long run of slashes inside a path.
const folderOf = (url: string): string => new URL(url).pathname.replace(/(?<!\/)\/\/*$/, "")

const isObject = (calendar: Calendar, { url }: DavResponse): boolean =>
  folderOf(url) !== folderOf(calendar.url) && !url.endsWith("/")

const entryOf = ({ properties, url }: DavResponse): Entry => ({ url, etag: textOf(properties.get("getetag")) })

const listed = async (dav: Dav, calendar: Calendar): Promise<Listing> => {
  const { responses } = await propfind(dav, calendar.url, "1", "d:getetag")
  const present = responses.filter((response) => isObject(calendar, response)).map(entryOf)
  return { present, gone: [], isComplete: true, token: calendar.token }
}

const syncCollection = (dav: Dav, calendar: Calendar, token: string) =>
  dav({
    url: calendar.url,
    method: "REPORT",
    depth: "0",
    body: `<d:sync-collection ${NAMESPACES}><d:sync-token>${escapeXml(token)}</d:sync-token>` +
      `<d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`
  })

/** A server may send partial responses, marked by their status, each with a token for the next. */
const MAX_PIECES = 1_000
const CUT_SHORT = 507
const GONE = 404

const synced = async (dav: Dav, calendar: Calendar, since: string): Promise<Listing> => {
  const entries = new Map<string, Entry | null>()
  let token = since
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    const answer = await syncCollection(dav, calendar, token)
    for (const response of answer.responses.filter((response) => isObject(calendar, response))) {
      entries.set(response.url, response.status === GONE ? null : entryOf(response))
    }
    const isCut = answer.responses.some(({ status }) => status === CUT_SHORT)
    if (answer.token === null || (isCut && answer.token === token)) break
    token = answer.token
    if (isCut) continue
    return {
      present: [...entries.values()].filter((entry) => entry !== null),
      gone: [...entries].filter(([, entry]) => entry === null).map(([url]) => url),
      isComplete: since === "",
      token
    }
  }
  throw new FatalFailure({ message: "The calendar server does not say what changed." })
}

/** A server that has lost the token, or does not support sync, refuses; then everything is listed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof FatalFailure || error instanceof CredentialsRefused || error instanceof SourceGone

/** Changes since `token`; everything if it is null. */
export const listCalendar = async (dav: Dav, calendar: Calendar, token: string | null): Promise<Listing> => {
  if (!calendar.isSynced || token === null) return listed(dav, calendar)
  try {
    return await synced(dav, calendar, token)
  } catch (error) {
    if (isRefusal(error)) return listed(dav, calendar)
    throw error
  }
}

const pathOf = (url: string): string => decoded(new URL(url).pathname)

/** Those that are not gone meanwhile, each with its text; null if the server does not return it. */
export const fetchObjects = async (
  dav: Dav,
  calendar: Calendar,
  entries: ReadonlyArray<Entry>
): Promise<ReadonlyArray<readonly [Entry, string | null]>> => {
  const hrefs = entries.map(({ url }) => `<d:href>${escapeXml(new URL(url).pathname)}</d:href>`).join("")
  const { responses } = await dav({
    url: calendar.url,
    method: "REPORT",
    depth: "1",
    body:
      `<c:calendar-multiget ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>${hrefs}</c:calendar-multiget>`
  })
  const answers = new Map(responses.map((response) => [pathOf(response.url), response]))
  return entries.flatMap((entry): ReadonlyArray<readonly [Entry, string | null]> => {
    const answer = answers.get(pathOf(entry.url))
    const data = answer?.properties.get("calendar-data")
    if (data !== undefined) return [[entry, textOf(data)]]
    return answer?.status === GONE ? [] : [[entry, null]]
  })
}
