/** Whose jobs let those of others go first. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { WorkspaceId } from "../../src/model/Id.ts"
import { makePlaces } from "../../src/jobs/places.ts"

const PLACES = 4

const WORKSPACES = ["1", "2", "3"].map((digit) => WorkspaceId.make(`00000000-0000-0000-0000-00000000000${digit}`))

/** Each takes a place. */
const Takers = Schema.Array(Schema.Literals([0, 1, 2])).check(Schema.isMaxLength(PLACES))

describe("the places of a lane", () => {
  it.prop("are crowded by the workspaces that have half of them or more", [Takers], ([takers]) => {
    const places = makePlaces(PLACES)
    for (const taker of takers) places.take(WORKSPACES[taker]!)
    const crowding = WORKSPACES.filter((_, at) => 2 * takers.filter((taker) => taker === at).length >= PLACES)
    assert.sameMembers([...places.crowding()], crowding)
    assert.strictEqual(places.isFull(), takers.length === PLACES)
    for (const taker of takers) places.leave(WORKSPACES[taker]!)
    assert.deepStrictEqual(places.crowding(), [])
  })
})
