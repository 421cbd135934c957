/** A team in a service: people in two shared workspaces. */
import { Effect } from "effect"
import { consoled } from "./console.ts"
import { wire } from "./wire.ts"

/** An account with two shared workspaces and people in each. */
export const team = Effect.gen(function*() {
  const service = yield* consoled(yield* wire({ tier: "pro" }))
  const { invited, newWorkspace } = service
  const [red, blue] = [yield* newWorkspace("Red"), yield* newWorkspace("Blue")]
  return {
    ...service,
    red,
    blue,
    personal: service.workspace.workspace_id,
    redOwner: yield* invited(red, "red.owner@example.com", "owner"),
    redMember: yield* invited(red, "red.member@example.com", "member"),
    blueOwner: yield* invited(blue, "blue.owner@example.com", "owner")
  }
})
