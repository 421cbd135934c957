/** Operators with tokens of their own: created, listed, revoked and authenticated. */
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { expiryOf } from "../internal/expiry.ts"
import { orNotFound } from "../internal/notFound.ts"
import { hashOf, hintOf, isOperatorSecret, newOperatorSecret } from "../internal/secret.ts"
import { uuid7 } from "../internal/uuid7.ts"
import {
  AuthenticationFailed,
  type InvalidField,
  NotFound,
  RateLimitExceeded,
  type StorageUnavailable,
  Unprocessable
} from "../model/Error.ts"
import { OperatorId, parseId } from "../model/Id.ts"
import type { IssuedOperator, NewOperator, Operator, OperatorCaller } from "../model/Operator.ts"
import { ClientAddress, networkOf } from "../people/clientAddress.ts"
import { OperatorStore } from "../ports/OperatorStore.ts"
import { failureWindows } from "../scheduling/failureWindows.ts"

const MAXIMUM = 100

/** The limit of failures from one network address. */
const FROM_ONE_PLACE = { limit: 20, window_seconds: 900 }

export class Operators extends Context.Service<Operators, {
  create(wanted: NewOperator): Effect.Effect<
    IssuedOperator,
    InvalidField | NotFound | Unprocessable | StorageUnavailable
  >
  /** Newest first. */
  readonly list: Effect.Effect<ReadonlyArray<Operator>, StorageUnavailable>
  /** Immediate and permanent. */
  revoke(operatorId: string): Effect.Effect<Operator, NotFound | StorageUnavailable>
  /**
   * Authenticates a token. Failures are logged and counted by address in this process; above the limit they are
   * answered with a wait. A valid token still works from that address, which others may share.
   */
  authenticate(token: Redacted.Redacted): Effect.Effect<
    OperatorCaller,
    AuthenticationFailed | RateLimitExceeded | StorageUnavailable
  >
}>()("@tributary/core/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function*() {
      const store = yield* Effect.serviceOption(OperatorStore)
      const failures = failureWindows()

      const kept = Effect.fromOption(store, () => new NotFound({ message: "This storage keeps no operators." }))

      const create = Effect.fn("Operators.create")(function*(wanted: NewOperator) {
        const { insert, list } = yield* kept
        const now = yield* Clock.currentTimeMillis
        const expires_at = yield* expiryOf(wanted, now)
        if ((yield* list(MAXIMUM)).length >= MAXIMUM) {
          return yield* new Unprocessable({ message: `There are ${MAXIMUM} operators already. Revoke one of them.` })
        }
        const secret = newOperatorSecret()
        const operator: Operator = {
          operator_id: uuid7<OperatorId>(now),
          name: wanted.name,
          hint: hintOf(secret),
          scopes: [...new Set(wanted.scopes)],
          created_at: new Date(now),
          expires_at
        }
        yield* insert(operator, yield* hashOf(secret))
        return { ...operator, token: Redacted.value(secret) }
      })

      const refuse = Effect.gen(function*() {
        const place = yield* ClientAddress
        const now = yield* Clock.currentTimeMillis
        const network = networkOf(place ?? "")
        const retry_after = failures.wait(network, FROM_ONE_PLACE, now)
        if (retry_after > 0) {
          return yield* new RateLimitExceeded({ endpoint: "sign_in", ...FROM_ONE_PLACE, remaining: 0, retry_after })
        }
        failures.fail(network, FROM_ONE_PLACE, now)
        yield* Effect.annotateLogs(Effect.logWarning("operator refused"), "address", place)
        return yield* new AuthenticationFailed()
      })

      const authenticate = Effect.fn("Operators.authenticate")(function*(token: Redacted.Redacted) {
        if (Option.isNone(store) || !isOperatorSecret(token)) return yield* refuse
        const found = yield* store.value.find(yield* hashOf(token))
        if (Option.isNone(found)) return yield* refuse
        const { expires_at } = found.value
        if (expires_at !== null && expires_at.getTime() <= (yield* Clock.currentTimeMillis)) return yield* refuse
        return found.value
      })

      return Operators.of({
        create,
        list: Option.match(store, { onNone: () => Effect.succeed([]), onSome: ({ list }) => list(MAXIMUM) }),
        revoke: Effect.fn("Operators.revoke")(function*(operatorId: string) {
          const id = yield* orNotFound("operator", parseId(OperatorId)(operatorId))
          return yield* orNotFound("operator", yield* Effect.flatMap(kept, ({ remove }) => remove(id)))
        }),
        authenticate
      })
    })
  )
}
