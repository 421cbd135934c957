/** Syncs the resources that a source reports as changed, for as long as it reports. */
import { Effect, Option, Stream } from "effect"
import type { StorageUnavailable } from "../../model/Error.ts"
import type { ConnectionId, WorkspaceId } from "../../model/Id.ts"
import { type ConnectionRecord, ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { DocumentStore } from "../../ports/DocumentStore.ts"
import { ReplaceSecret, type SyncFailure } from "../../ports/Provider.ts"
import type { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { openConfig } from "../connectionConfig.ts"
import { Providers } from "../Providers.ts"
import { replaceSecret } from "../replaceSecret.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { queueDue } from "./queueSyncs.ts"
import { isLive } from "./syncStates.ts"

/** Collects changes, because a file is written in several steps, and mails arrive together. */
const QUIET = "1 second"

/** The pause after syncs that changes have started, and before checking whether an earlier sync is over. */
const PAUSE = "5 seconds"

/** Syncs what has changed, except for resources with a running sync, which may have passed the change. */
const syncIdle = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connection_id: ConnectionId, changed: Set<string>) {
    const store = yield* ConnectionStore
    for (const resource of changed) {
      const state = yield* store.findState(workspaceId, { connection_id, resource })
      if (Option.isSome(state) && isLive(state.value)) continue
      changed.delete(resource)
      // A failed or cancelled resource has its own schedule.
      if (Option.isSome(state) && state.value.status === "completed") yield* queueDue(workspaceId, state.value)
    }
  }
)

/** Ends when the source does not report changes. */
export const followChanges = Effect.fnUntraced(
  function*(
    workspaceId: WorkspaceId,
    connection: ConnectionRecord
  ): Effect.fn.Return<void, SyncFailure | StorageUnavailable, ConnectionStore | DocumentStore | WorkspaceStore> {
    const provider = (yield* Providers).find(({ provider }) => provider === connection.provider)
    if (provider?.changes === undefined) return
    const config = yield* openConfig(yield* SecretBox, provider, workspaceId, connection)
    const known = new Set(connection.resources)
    const changed = new Set<string>()

    const syncAll = Effect.gen(function*() {
      while (changed.size > 0) {
        yield* Effect.sleep(QUIET)
        yield* syncIdle(workspaceId, connection.connection_id, changed)
        yield* Effect.sleep(PAUSE)
      }
    })
    yield* provider.changes(config, connection.resources).pipe(
      Stream.filter((resource) => known.has(resource)),
      Stream.tap((resource) => Effect.sync(() => changed.add(resource))),
      // Changes in the meantime are combined.
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach(() => syncAll)
    )
  },
  (followed, workspaceId, { connection_id }) =>
    Effect.provideServiceEffect(followed, ReplaceSecret, replaceSecret(workspaceId, connection_id))
)
