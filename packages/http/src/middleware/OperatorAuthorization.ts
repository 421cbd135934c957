/** Authenticates callers of the operator API: the host's token may do everything; others have scopes. */
import { ClientAddress } from "@tributary/core/AuditLog"
import {
  AuthenticationFailed,
  PermissionDenied,
  type RateLimitExceeded,
  type StorageUnavailable
} from "@tributary/core/model/Error"
import { type OperatorCaller, OperatorScope } from "@tributary/core/model/Operator"
import { Operators } from "@tributary/core/Operators"
import { Effect, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { createHash, timingSafeEqual } from "node:crypto"
import { bearerToken } from "./Authorization.ts"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Digests of the host's token are compared, so that timing reveals nothing, not even the length. */
export const byOperatorToken = Effect.fnUntraced(function*(token: Redacted.Redacted, name: string) {
  const operators = yield* Operators
  const expected = digest(Redacted.value(token))
  const root: OperatorCaller = { operator_id: null, name, scopes: OperatorScope.literals }

  const callerOf = (
    request: HttpServerRequest
  ): Effect.Effect<OperatorCaller, AuthenticationFailed | RateLimitExceeded | StorageUnavailable> => {
    const given = bearerToken(request)
    if (given === undefined) return Effect.fail(new AuthenticationFailed())
    if (timingSafeEqual(digest(given), expected)) return Effect.succeed(root)
    return Effect.provideService(
      operators.authenticate(Redacted.make(given)),
      ClientAddress,
      Option.getOrNull(request.remoteAddress)
    )
  }

  return (request: HttpServerRequest, _: unknown, required: OperatorScope | null) =>
    Effect.flatMap(callerOf(request), (caller) =>
      required !== null && caller.scopes.includes(required)
        ? Effect.succeed(caller)
        : Effect.fail(new PermissionDenied({ message: `This operator's token lacks the scope ${required}.` })))
})
