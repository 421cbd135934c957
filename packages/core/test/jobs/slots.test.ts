/** Whose jobs let those of others go first. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { WorkspaceId } from "../../src/model/Id.ts"
import { makeSlots } from "../../src/jobs/slots.ts"

const SLOTS = 4

const WORKSPACES = ["1", "2", "3"].map((digit) => WorkspaceId.make(`00000000-0000-0000-0000-00000000000${digit}`))

/** The workspace of each job that runs. */
const Running = Schema.Array(Schema.Literals([0, 1, 2])).check(Schema.isMaxLength(SLOTS))

describe("the slots of a lane", () => {
  it.prop("are dominated by the workspaces that use half of them or more", [Running], ([running]) => {
    const slots = makeSlots(SLOTS)
    for (const one of running) slots.acquire(WORKSPACES[one]!)
    const dominant = WORKSPACES.filter((_, at) => 2 * running.filter((one) => one === at).length >= SLOTS)
    assert.sameMembers([...slots.dominant()], dominant)
    assert.strictEqual(slots.isFull(), running.length === SLOTS)
    for (const one of running) slots.release(WORKSPACES[one]!)
    assert.deepStrictEqual(slots.dominant(), [])
  })
})
