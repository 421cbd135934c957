/** The workspace's events. */
import { Documents } from "@tributary/core/Documents"
import { Effect } from "effect"
import { toPageRequest } from "../api/Parameters.ts"
import type { Runtime } from "../api/Runtime.ts"
import type { Handlers } from "../Routes.ts"

export const runtime = Effect.map(Documents, (documents): Handlers<typeof Runtime> => ({
  listEvents: ({ caller: { workspace }, query }) =>
    Effect.map(
      documents.events(
        workspace.workspace_id,
        { source: query.source ?? null, kind: query.kind ?? null },
        toPageRequest(query)
      ),
      ({ items, next }) => ({ events: items, next_cursor: next })
    )
}))
