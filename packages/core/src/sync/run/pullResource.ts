/** Pulls a resource from its source, and decides about the documents and resources that are gone. */
import { Effect, Option, Stream } from "effect"
import { DigestSet } from "../../ingest/DigestSet.ts"
import { type Provider, ReplaceSecret } from "../../ports/Provider.ts"
import { openConfig } from "../connectionConfig.ts"
import { addResources, currentResources, discoversResources, dropResource } from "../discovery.ts"
import { replaceSecret } from "../replaceSecret.ts"
import { rewrap } from "../rewrapping.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import type { ActiveSync } from "./ActiveSync.ts"
import { applySteps } from "./applySteps.ts"
import { decideDeletions, markMissing } from "./pulledDeletions.ts"
import { ensureWatch } from "./watchJobs.ts"

/** Returns the failure if the source has lost the resource. */
const pullSteps = Effect.fnUntraced(function*(sync: ActiveSync, provider: Provider, config: unknown) {
  const { ref: { resource }, since, state } = sync
  const { flush, take } = applySteps(sync)
  const steps = provider.sync({ config, resource, cursor: state().cursor, since })
  const gone = yield* Stream.runForEach(steps, take).pipe(
    Effect.as(null),
    Effect.catchTag("SourceGone", (failure) => Effect.succeed(failure))
  )
  yield* flush
  return gone
})

/** Everything of the resource is gone. */
const markAllMissing = ({ ref, fencingToken, workspace }: ActiveSync) =>
  markMissing(workspace.workspace_id, ref, { listed: new DigestSet(), unlisted: [], since: null }, fencingToken)

const decided = ({ ref, state, fencingToken, workspace: { workspace_id } }: ActiveSync) =>
  decideDeletions(workspace_id, ref, state().deletions_held, fencingToken)

/** Of a resource that the connection has no more, since its configuration was changed. */
export const removeResource = Effect.fnUntraced(function*(sync: ActiveSync) {
  yield* markAllMissing(sync)
  return { ...yield* decided(sync), isDropped: true }
})

export const pullResource = Effect.fnUntraced(
  function*(sync: ActiveSync, provider: Provider) {
    const { connection, ref, states, workspace: { workspace_id } } = sync
    const { connection_id, resource } = ref
    const config = yield* openConfig(yield* SecretBox, provider, workspace_id, connection)
    yield* Effect.catchTag(rewrap(workspace_id, connection), "Sealed", Effect.die)
    const gone = yield* pullSteps(sync, provider, config)
    const current = gone !== null || discoversResources(connection, resource, states)
      ? yield* currentResources(provider, config)
      : Option.none<ReadonlyArray<string>>()
    if (gone !== null) {
      // Only a listing of all resources shows that it is gone and not just unavailable.
      if (Option.isNone(current) || current.value.includes(resource)) return yield* gone
      yield* markAllMissing(sync)
    }
    if (Option.isSome(current)) yield* addResources(workspace_id, connection, current.value)
    const deletions = yield* decided(sync)
    const isDropped = gone !== null && deletions.held === 0 && (yield* dropResource(workspace_id, connection, resource))
    if (gone === null && provider.changes !== undefined) yield* ensureWatch(workspace_id, connection_id)
    return { ...deletions, isDropped }
  },
  (pulled, { connection: { connection_id }, workspace: { workspace_id } }) =>
    Effect.provideServiceEffect(pulled, ReplaceSecret, replaceSecret(workspace_id, connection_id))
)
