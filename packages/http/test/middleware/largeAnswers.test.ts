/** Large answers that clients are slow to take. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { makeLargeAnswers } from "../../src/middleware/LargeAnswers.ts"
import { setWorkspace } from "../../src/middleware/RequestMetrics.ts"

const MIB = 1_048_576

/** Answers requests of workspaces with this number of bytes. Their scopes are those of the requests. */
const answering = () => {
  const answers = makeLargeAnswers()
  return Effect.fnUntraced(function*(workspace: string, bytes: number) {
    const scope = yield* Scope.make()
    const request = { source: {} } as HttpServerRequest
    setWorkspace(request, workspace as WorkspaceId)
    const whole = HttpServerResponse.uint8Array(new Uint8Array(bytes))
    const { status } = yield* Effect.provideService(answers(request, whole), Scope.Scope, scope)
    return { status, taken: Scope.close(scope, Exit.void) }
  })
}

describe("Large answers that are not taken yet", () => {
  it.effect("are refused beyond 128 MiB of a workspace, and given again when others were taken", () =>
    Effect.gen(function*() {
      const answer = answering()
      const first = yield* answer("a", 100 * MIB)
      assert.strictEqual((yield* answer("a", 28 * MIB)).status, 200)
      const refused = yield* answer("a", MIB)
      assert.strictEqual(refused.status, 503)
      yield* refused.taken
      assert.strictEqual((yield* answer("a", MIB)).status, 503)
      assert.strictEqual((yield* answer("a", 200_000)).status, 200)
      assert.strictEqual((yield* answer("b", MIB)).status, 200)
      yield* first.taken
      assert.strictEqual((yield* answer("a", 100 * MIB)).status, 200)
    }))

  it.effect("may be larger if there is only one", () =>
    Effect.gen(function*() {
      const answer = answering()
      assert.strictEqual((yield* answer("a", 200 * MIB)).status, 200)
      assert.strictEqual((yield* answer("a", MIB)).status, 503)
    }))
})
