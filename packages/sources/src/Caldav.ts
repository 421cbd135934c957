/**
 * Calendars on CalDAV servers, or published as an `.ics` file.
 *
 * A recurring event is one document. It names its occurrences from the start of the sync to one year ahead.
 */
import { partlySecret, type Provider, SourceGone } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { makeDav } from "./internal/caldav/dav.ts"
import { findCalendars } from "./internal/caldav/discovery.ts"
import { makeCalendarSplitters } from "./internal/caldav/CalendarSplitter.ts"
import { makeEventReaders } from "./internal/caldav/EventReader.ts"
import { syncCalendar } from "./internal/caldav/syncCalendar.ts"
import { fetchCalendar, syncCalendarFile } from "./internal/caldav/syncCalendarFile.ts"
import type { Network } from "./internal/network/guardedAddresses.ts"
import { makeWebClient } from "./internal/network/webClient.ts"
import { attempt, steps } from "./internal/steps.ts"
import { credentialsOf, LoginFields, shownAddress, shownHost, soundAddress } from "./internal/webConfig.ts"

const FILE_RESOURCE = "calendar"

const isFile = (url: string): boolean => /^webcals?:/i.test(url) || /\.ics([?#]|$)/i.test(url)

const CaldavConfig = Schema.Struct({
  url: partlySecret(
    Schema.String.check(
      Schema.isPattern(/^(https?|webcals?):\/\/[^/]/i),
      Schema.isMaxLength(2_048),
      soundAddress
    ),
    // The address of a published calendar is usually the only protection of its content: treat it as a secret.
    (url) => isFile(url) ? shownHost(url) : shownAddress(url)
  ).annotate({
    title: "Address",
    description: "Of a CalDAV server, a calendar on it, or a published calendar (.ics)."
  }),
  calendars: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)))
      .check(Schema.isMinLength(1), Schema.isMaxLength(100))
  ).annotate({ title: "Calendars", description: "As they are called in their addresses. Default: all." }),
  ...LoginFields
})
type CaldavConfig = typeof CaldavConfig.Type

/** Calendar subscriptions use the scheme `webcal`. */
const addressOf = ({ url }: CaldavConfig): string => url.replace(/^webcal(s?):/i, (_, s) => `http${s || "s"}:`)

const fileOf = (config: CaldavConfig) => ({ url: addressOf(config), credentials: credentialsOf(config) })

export const caldav = (network: Network = {}): Provider<CaldavConfig> => {
  const client = makeWebClient(network)
  const readers = makeEventReaders()
  const splitters = makeCalendarSplitters()
  const calendarsOf = async (config: CaldavConfig, signal: AbortSignal) => {
    const dav = makeDav(client, credentialsOf(config), signal)
    return { dav, calendars: await findCalendars(dav, addressOf(config)) }
  }
  return {
    provider: "caldav",
    name: "Calendar (CalDAV, .ics)",
    config: CaldavConfig,
    syncDefaults: { start: { type: "relative", days: 365 }, interval_minutes: 15 },
    resources: (config) =>
      attempt(async (signal) => {
        if (isFile(config.url)) {
          await splitters.use((splitter) => fetchCalendar(client, splitter, fileOf(config), signal))
          return [FILE_RESOURCE]
        }
        const { calendars } = await calendarsOf(config, signal)
        const names = calendars.map(({ resource }) => resource)
        return config.calendars === undefined ? names : names.filter((name) => config.calendars?.includes(name))
      }),
    resourcesVary: (config) => !isFile(config.url),
    sync: ({ config, ...request }) =>
      steps((signal) =>
        readers.stream(async function*(reader) {
          if (isFile(config.url)) {
            return yield* splitters.stream((splitter) =>
              syncCalendarFile(client, { reader, splitter }, fileOf(config), request, signal)
            )
          }
          const { calendars, dav } = await calendarsOf(config, signal)
          const calendar = calendars.find(({ resource }) => resource === request.resource)
          if (calendar === undefined) {
            throw new SourceGone({ message: `The calendar ${request.resource} does not exist.` })
          }
          yield* syncCalendar(dav, reader, calendar, request)
        })
      )
  }
}
