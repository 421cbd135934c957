/** The workspace's events, listed or as they happen. */
import { Documents, type EventFilter } from "@tributary/core/Documents"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { Effect, Option, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Runtime } from "../api/Runtime.ts"
import { lastEventId } from "../middleware/StreamHeaders.ts"
import { EventStream } from "../response/EventStreams.ts"
import { wantsEvents } from "../response/Accept.ts"
import type { Handlers } from "./Handlers.ts"
import { selectedPage, toPageRequest } from "./paging.ts"

const filterOf = ({ document_id = null, kind = null, source = null }: Partial<EventFilter>): EventFilter => ({
  source,
  kind,
  document_id
})

export const runtime = Effect.map(Documents, (documents): Handlers<typeof Runtime> => {
  const follow = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, filter: EventFilter, request: HttpServerRequest) {
      const batches = yield* documents.watch(workspaceId, filter, Option.getOrNull(lastEventId(request)))
      const events = Stream.flatMap(batches, (batch) => Stream.fromIterable(batch))
      return new EventStream(Stream.map(events, ({ event, seq }) => ({ id: seq, event: event.type, data: event })))
    }
  )

  return {
    listEvents: ({ caller: { workspace: { workspace_id } }, query, request }) =>
      wantsEvents(request)
        ? follow(workspace_id, filterOf(query), request)
        : Effect.map(documents.events(workspace_id, filterOf(query), toPageRequest(query)), selectedPage("events"))
  }
})
