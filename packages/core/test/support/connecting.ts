/** The service over memory with one small provider, and what tests of connections do with it. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { type Duration, Effect, Latch, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Connections } from "../../src/sync/Connections.ts"
import type { SyncState } from "../../src/model/Connection.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { WorkspacePatch, WorkspaceRecord } from "../../src/model/Workspace.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import type { TextExtractor } from "../../src/ports/TextExtractor.ts"
import * as Providers from "../../src/sync/Providers.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { State } from "../../../memory/src/internal/State.ts"
import { gated } from "../../../tributary/src/gated.ts"
import { fill, PASSWORD, type TinySource, tinySource } from "./tinySource.ts"
import { extractor, settle } from "./wholeService.ts"

export { settle }

export const key = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

/** One server process over the ports. */
export const node = (source: TinySource, keys = [key(1)], reader: Layer.Layer<TextExtractor> = extractor) =>
  Layer.fresh(Tributary.layer).pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provide(Providers.layer([source.provider])),
    Layer.provide(SecretBox.layer(keys)),
    Layer.provide(reader)
  )

const gate = Latch.makeUnsafe(true)

/** A separate store for one test, and its state. */
export const store = Layer.fresh(Layer.provideMerge(gated(gate), Layer.merge(Memory.layer, State.layer)))

/** A separate service for one test. */
export const service = (source: TinySource) => Layer.provideMerge(node(source), store)

/** Advances hours at once: everything that became due runs at their end. */
export const leap = (duration: Duration.Input) =>
  Effect.andThen(
    Effect.andThen(gate.close, TestClock.adjust(duration)),
    Effect.andThen(gate.open, TestClock.adjust(0))
  )

/** Lets time pass until it holds. */
export const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.andThen(settle(1), holds), { until: (held) => held, times: 200 })

export const newWorkspace = Effect.fnUntraced(function*(limits: NonNullable<WorkspacePatch["limits"]> = {}) {
  const workspaces = yield* Workspaces
  const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada", tier: "pro" })
  return yield* workspaces.update(personal_workspace.workspace_id, { limits })
})

export const connect = Effect.fnUntraced(function*(workspace: WorkspaceRecord, more: object = {}) {
  const connections = yield* Connections
  return yield* connections.create(
    workspace,
    { provider: "tiny", name: "Notes", config: { host: "notes.example", password: PASSWORD }, ...more },
    OPERATOR
  )
})

/** A connection of a new workspace, and its inspection. */
export const connected = Effect.fnUntraced(
  function*(limits: NonNullable<WorkspacePatch["limits"]> = {}, more: object = {}) {
    const workspace = yield* newWorkspace(limits)
    const { workspace_id: workspaceId } = workspace
    const { connection_id: id } = yield* connect(workspace, more)
    const [connections, syncs] = [yield* Connections, yield* Syncs]
    const state = (resource = "notes") =>
      Effect.map(syncs.states(workspaceId, id), (states): SyncState => states.find((one) => one.resource === resource)!)
    /** Syncs now, and waits until it is over. */
    const sync = Effect.gen(function*() {
      yield* syncs.start(workspaceId, id)
      yield* until(Effect.map(state(), ({ status }) => status !== "pending" && status !== "running"))
      return yield* state()
    })
    return { workspace, workspaceId, id, connections, syncs, state, sync }
  }
)

export const documentsOf = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const { documents } = yield* (yield* DocumentStore).meters(workspaceId)
  return documents
})

/** A test with a separate service and source, which has some notes. */
export const withSource = <Eff extends Effect.Effect<unknown, unknown, unknown>, A>(
  count: number,
  test: (source: TinySource) => Generator<Eff, A, never>
) =>
() => {
  const source = tinySource()
  fill(source, count)
  return Effect.provide(Effect.gen(() => test(source)), service(source))
}
