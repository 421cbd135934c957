import { assert, describe, it } from "@effect/vitest"
import { AccountId, WorkspaceId } from "@tributary/core/model/Id"
import { join } from "node:path"
import { migrate } from "../src/internal/migrate.ts"
import { SqliteConnection } from "../src/internal/SqliteConnection.ts"
import { isSegmentStored, segmentWrites } from "../src/writes/segments.ts"
import { workspaceWrites } from "../src/writes/workspaces.ts"
import { newUuid } from "../../postgres/test/support/source.ts"
import { newFolder } from "./support/newFolder.ts"

const [account_id, workspace_id] = [AccountId.make(newUuid()), WorkspaceId.make(newUuid())]

const opened = () => {
  const db = new SqliteConnection({ path: join(newFolder(), "tributary.db"), fsync: false })
  migrate(db)
  const common = { account_id, tier: "free", created_at: new Date(0) } as const
  workspaceWrites.createAccount(db, { ...common, name: "Ada", email: null }, {
    ...common,
    workspace_id,
    name: "Home",
    kind: "personal",
    grandfathered: false,
    suspended: false,
    overrides: {}
  })
  const put = (slice: number, last: number, workspaceId = workspace_id): void =>
    segmentWrites.putSlice(db, workspaceId, "segment", slice, last, new Uint8Array([slice]))
  const slices = () =>
    db.all<{ readonly slice: number }>("SELECT slice FROM segments ORDER BY slice").map(({ slice }) => slice)
  return { db, put, slices }
}

describe("the slices of a segment", () => {
  it("are stored only before a stored one, and the first of them completes it", () => {
    const { db, put, slices } = opened()
    put(1, 2)
    assert.deepStrictEqual(slices(), [])
    put(2, 2)
    put(1, 2)
    assert.isFalse(isSegmentStored(db, workspace_id, "segment"))
    put(0, 2)
    assert.isTrue(isSegmentStored(db, workspace_id, "segment"))
  })

  it("include none of a longer segment of the same name", () => {
    const { put, slices } = opened()
    for (const slice of [2, 1, 0]) put(slice, 2)
    put(0, 0)
    assert.deepStrictEqual(slices(), [0])
  })

  it("are not stored in a closed workspace, where nothing erases them any more", () => {
    const { put, slices } = opened()
    put(0, 0, WorkspaceId.make(newUuid()))
    assert.deepStrictEqual(slices(), [])
  })
})
