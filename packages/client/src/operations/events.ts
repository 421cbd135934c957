/** Events of documents. */
import { omitUndefined } from "../calling.ts"
import { FOLLOWING, type Following } from "../following.ts"
import { checkNames } from "../optionNames.ts"
import type { Listing } from "../paging.ts"
import { type LiveEvent, liveEventOf } from "../transport/streaming.ts"
import type { Event } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

/** Which events are listed or followed. */
export interface EventFilter {
  readonly source?: string | undefined
  readonly kind?: string | undefined
  readonly document_id?: string | undefined
}

export const events = ({ api, pages, stream }: ConnectedClient) => ({
  /** Ingested and deleted documents of the last 90 days, oldest first. */
  list: (query: EventFilter = {}, options: Listing = {}): Pages<Event> =>
    pages("events", query, options, (query) => api.runtime.listEvents({ query: omitUndefined(query) })),
  /**
   * Events as they happen, from now on, or from after the event with the id `after`. Runs until the loop is left; an
   * error, or the reason of an aborted signal, is thrown.
   */
  live: (query: EventFilter = {}, options: Following = {}): AsyncIterable<LiveEvent> => {
    checkNames(FOLLOWING, options)
    const { after, ...rest } = options
    return stream(
      api.runtime.listEvents({ query: omitUndefined(query), responseMode: "response-only" }),
      liveEventOf,
      rest,
      after === undefined ? {} : { "last-event-id": after }
    )
  }
})
