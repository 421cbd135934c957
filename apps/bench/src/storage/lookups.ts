/** The lookup at the start of every request, compared with the smallest query. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Connectors } from "@tributary/core/Connectors"
import { Workspaces } from "@tributary/core/Workspaces"
import { Duration, Effect, Layer } from "effect"
import { median } from "../statistics.ts"
import { newPlace } from "./places.ts"
import type { MeasuredStore } from "./stores.ts"

const ROUNDS = 7
const TIMES = 200

const services = Layer.mergeAll(ApiKeys.layer, Connectors.layer, Workspaces.layer)

export const LOOKUP_HEAD = ["database", "key check, ms", "SELECT 1, ms", "key check / SELECT 1"]

const measure = Effect.fnUntraced(function*({ name, select }: MeasuredStore) {
  const keys = yield* ApiKeys
  const { workspace } = yield* newPlace
  const { secret } = yield* keys.create(workspace.workspace_id, { name: "Bench", scopes: ["api:read"] }, OPERATOR)
  const timed = <E>(act: Effect.Effect<unknown, E>) =>
    Effect.map(
      Effect.timed(Effect.replicateEffect(act, TIMES, { discard: true })),
      ([duration]) => Duration.toMillis(duration) / TIMES
    )
  const [checks, selects]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    checks.push(yield* timed(keys.authenticate(secret)))
    selects.push(yield* timed(select))
  }
  const ratios = checks.map((time, round) => time / selects[round]!)
  return [
    name,
    median(checks.slice(1)).toFixed(3),
    median(selects.slice(1)).toFixed(3),
    median(ratios.slice(1)).toFixed(2)
  ]
})

/** A row of the table of lookups. */
export const lookupCost = (store: MeasuredStore) =>
  Effect.provide(measure(store), Layer.provide(services, store.ports), { local: true })
