/** Limits the answers that a workspace's clients have not taken yet: each is in memory until then, which may be never. */
import { Effect, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { LARGE } from "../body/RequestBytes.ts"
import { unavailable } from "../response/Failures.ts"
import { workspaceOf } from "./RequestMetrics.ts"

/** Of a workspace, in bytes. Smaller answers do not count. */
const MAX_BYTES = 134_217_728

const MESSAGE = "Too many large answers of this workspace are not taken yet."

export const makeLargeAnswers = () => {
  const untaken = new Map<string, number>()

  const change = (workspaceId: string, by: number): void => {
    const changed = (untaken.get(workspaceId) ?? 0) + by
    if (changed === 0) untaken.delete(workspaceId)
    else untaken.set(workspaceId, changed)
  }

  /** The scope of a request closes when its answer is sent. */
  return (
    request: HttpServerRequest,
    answer: HttpServerResponse
  ): Effect.Effect<HttpServerResponse, never, Scope.Scope> => {
    const workspaceId = workspaceOf(request)
    const bytes = answer.body._tag === "Uint8Array" ? answer.body.contentLength : 0
    if (workspaceId === undefined || bytes <= LARGE) return Effect.succeed(answer)
    return Effect.suspend(() => {
      const before = untaken.get(workspaceId) ?? 0
      if (before > 0 && before + bytes > MAX_BYTES) return Effect.succeed(unavailable(MESSAGE))
      change(workspaceId, bytes)
      return Effect.as(Effect.addFinalizer(() => Effect.sync(() => change(workspaceId, -bytes))), answer)
    })
  }
}
