import { assert, it } from "@effect/vitest"
import { People } from "@tributary/core/People"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer } from "effect"
import { services } from "../support/services.ts"

const peopled = Layer.provideMerge(People.layer, services)

it.effect("The content of a workspace is closed to its members while it is suspended, and to others always", () =>
  Effect.gen(function*() {
    const [people, workspaces] = [yield* People, yield* Workspaces]
    const { account_id, personal_workspace: { workspace_id } } = yield* workspaces.createAccount({ name: "Ada" })
    const ada = yield* people.ownerOf(account_id)
    const bo = yield* people.ownerOf((yield* workspaces.createAccount({ name: "Bo" })).account_id)
    assert.strictEqual((yield* people.readable(ada, workspace_id)).workspace_id, workspace_id)
    yield* workspaces.update(workspace_id, { suspended: true })
    assert.match((yield* Effect.flip(people.readable(ada, workspace_id))).message, /The workspace is suspended/)
    assert.strictEqual((yield* people.permitted(ada, workspace_id, "owner")).workspace_id, workspace_id)
    assert.match((yield* Effect.flip(people.readable(bo, workspace_id))).message, /You do not have permission/)
  }).pipe(Effect.provide(peopled)))
