/** Finds the calendars behind the address that a user enters. */
import { FatalFailure, SourceGone } from "@tributary/core/ports/Provider"
import { textOf } from "../xml.ts"
import { type Dav, type DavResponse, named, propfind } from "./dav.ts"

export interface Calendar {
  /** The last segment of its path. */
  readonly resource: string
  readonly url: string
  /** Changes with every change of the calendar. */
  readonly token: string | null
  /** Whether the server supports sync with the token. */
  readonly isSynced: boolean
}

const CALENDAR = ["d:resourcetype", "d:sync-token", "cs:getctag", "c:supported-calendar-component-set"]
const HOMES = ["c:calendar-home-set", "d:current-user-principal"]

const isCalendar = ({ properties }: DavResponse): boolean => {
  const type = properties.get("resourcetype")
  return type !== undefined && named(type, "calendar").length > 0
}

/** Servers encode the same path in different ways. */
export const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export const lastSegment = (url: string): string =>
  decoded(new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "calendar")

const calendarOf = ({ properties, url }: DavResponse): Calendar => {
  const token = textOf(properties.get("sync-token"))
  return {
    resource: lastSegment(url).replaceAll("/", "_"),
    url,
    token: token || textOf(properties.get("getctag")) || null,
    isSynced: token !== ""
  }
}

const hrefIn = (response: DavResponse | undefined, name: string): string | null => {
  const property = response?.properties.get(name)
  const href = property === undefined ? "" : textOf(named(property, "href")[0])
  return href !== "" && URL.canParse(href, response!.url) ? new URL(href, response!.url).href : null
}

const homeOf = async (dav: Dav, url: string): Promise<string | null> => {
  const { responses: [root] } = await propfind(dav, url, "0", ...HOMES)
  const home = hrefIn(root, "calendar-home-set")
  const principal = hrefIn(root, "current-user-principal")
  if (home !== null || principal === null) return home
  const { responses: [person] } = await propfind(dav, principal, "0", ...HOMES)
  return hrefIn(person, "calendar-home-set")
}

/** Null if the address does not answer such requests, like the front page of a server. */
const unlessSilent = <A>(answer: Promise<A>): Promise<A | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof FatalFailure || error instanceof SourceGone) return null
    throw error
  })

/** The address may be that of a calendar, a user, a folder of calendars, or the server. */
export const findCalendars = async (dav: Dav, url: string): Promise<ReadonlyArray<Calendar>> => {
  const itself = (await unlessSilent(propfind(dav, url, "0", ...CALENDAR)))?.responses[0]
  if (itself !== undefined && isCalendar(itself)) return [calendarOf(itself)]
  const home = await unlessSilent(homeOf(dav, url)) ??
    await homeOf(dav, new URL("/.well-known/caldav", url).href).catch(() => null) ?? url
  const { responses } = await propfind(dav, home, "1", ...CALENDAR)
  const calendars = responses.filter(isCalendar).map(calendarOf)
  if (calendars.length === 0) throw new SourceGone({ message: `There are no calendars at ${new URL(url).host}.` })
  return calendars
}
