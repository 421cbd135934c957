import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AccountId, WorkspaceId } from "../../src/model/Id.ts"
import { limitsOf } from "../../src/model/Plan.ts"
import { covers, coversAll, FineScope, Scope } from "../../src/model/Scope.ts"
import { meter } from "../../src/model/Usage.ts"
import { limitsFor, type WorkspaceRecord } from "../../src/model/Workspace.ts"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("a meter", () => {
  it("approaches its cap from 80 % on and exceeds it strictly above", () => {
    assert.deepStrictEqual(meter(7_999, 10_000), { used: 7_999, limit: 10_000, fraction_used: 0.7999, state: "ok" })
    assert.strictEqual(meter(8_000, 10_000).state, "approaching")
    assert.strictEqual(meter(10_000, 10_000).state, "approaching")
    assert.strictEqual(meter(10_001, 10_000).state, "exceeded")
  })

  it("without a cap has no limit and is never near it", () => {
    assert.deepStrictEqual(meter(5_000_000, null), { used: 5_000_000, fraction_used: 0, state: "ok" })
  })

  it("with a cap of 0 is full from the start", () => {
    assert.deepStrictEqual(meter(0, 0), { used: 0, limit: 0, fraction_used: 1, state: "approaching" })
    assert.strictEqual(meter(1, 0).state, "exceeded")
  })

  it.prop("has the plain quotient, and a state that follows from it", [Count, Count], ([used, cap]) => {
    const limit = cap + 1
    const { fraction_used, state } = meter(used, limit)
    assert.strictEqual(fraction_used, used / limit)
    assert.strictEqual(state, used > limit ? "exceeded" : used * 10 >= limit * 8 ? "approaching" : "ok")
  })
})

describe("a plan", () => {
  const workspace: WorkspaceRecord = {
    workspace_id: WorkspaceId.make("00000000-0000-7000-8000-000000000001"),
    account_id: AccountId.make("00000000-0000-7000-8000-000000000002"),
    name: "W",
    kind: "personal",
    tier: "free",
    created_at: new Date(0),
    grandfathered: false,
    suspended: false,
    overrides: {}
  }

  it("called free has the published caps", () => {
    assert.deepStrictEqual(limitsOf("free"), {
      documents: 10_000,
      storage: 500_000_000,
      doc_size: 10_000_000,
      shared_workspaces: 1,
      snapshots: 1,
      ask: { limit: 5, window_seconds: 60 },
      search: { limit: 20, window_seconds: 60 },
      refresh: { limit: 2, window_seconds: 3_600 }
    })
  })

  it("is overridden by an operator's exceptions, one limit at a time", () => {
    const limits = limitsFor({ ...workspace, overrides: { documents: 3, ask: null } })
    assert.deepStrictEqual(limits, { ...limitsOf("free"), documents: 3, ask: null })
  })

  it("caps only the shared workspaces of an account for a workspace older than limits", () => {
    const limits = limitsFor({ ...workspace, grandfathered: true })
    assert.deepStrictEqual(limits, {
      documents: null,
      storage: null,
      doc_size: null,
      shared_workspaces: 1,
      snapshots: 1,
      ask: null,
      search: null,
      refresh: null
    })
    assert.strictEqual(limitsFor({ ...workspace, grandfathered: true, overrides: { documents: 9 } }).documents, 9)
  })
})

describe("a scope", () => {
  const umbrellaOf = (scope: Scope): Scope | null => {
    if (scope === "audit:read" || scope.startsWith("api:")) return null
    return scope.endsWith(":read") ? "api:read" : "api:write"
  }

  it("covers only itself, and an umbrella every scope of its kind except for the audit log", () => {
    for (const required of FineScope.literals) {
      assert.isTrue(covers([required], required))
      assert.isFalse(covers(FineScope.literals.filter((scope) => scope !== required), required), required)
      assert.strictEqual(covers(["api:read"], required), umbrellaOf(required) === "api:read", required)
      assert.strictEqual(covers(["api:write"], required), umbrellaOf(required) === "api:write", required)
    }
  })

  it.prop(
    "can be granted only by a key that has it",
    [Schema.Array(Scope), Schema.Array(Scope)],
    ([granted, wanted]) => {
      assert.strictEqual(
        coversAll(granted, wanted),
        wanted.every((scope) => [scope, umbrellaOf(scope)].some((one) => one !== null && granted.includes(one)))
      )
    }
  )
})
