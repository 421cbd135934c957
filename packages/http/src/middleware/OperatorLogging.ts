/**
 * Logs what operators change: an entry before the operation, and one with its outcome. If the first cannot be written,
 * the operation is refused.
 */
import { OperatorLog } from "@tributary/core/OperatorLog"
import type { OperatorCaller } from "@tributary/core/model/Operator"
import { Cause, Effect, Exit, Option, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { requestId } from "./RequestId.ts"

interface Called {
  readonly caller: OperatorCaller
  readonly request: HttpServerRequest
  readonly params?: Readonly<Record<string, string>>
  readonly payload?: object
}

/** The ids in a value, by name. */
const idsIn = (found: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(found ?? {}).filter((entry): entry is [string, string] =>
      entry[0].endsWith("_id") && typeof entry[1] === "string"
    )
  )

const jsonOf = (payload: object | undefined): Schema.Json =>
  payload === undefined ? null : JSON.parse(JSON.stringify(payload))

const outcomeOf = <E extends { readonly _tag: string }>(exit: Exit.Exit<unknown, E>): string =>
  Exit.isSuccess(exit)
    ? "done"
    : Option.match(Cause.findErrorOption(exit.cause), {
      onNone: () => "internal_error",
      onSome: ({ _tag }) => _tag
    })

type Operation = (input: Called) => Effect.Effect<unknown, { readonly _tag: string }>

/** The same operations, which log each call under their name. */
export const logging = Effect.map(OperatorLog, (log) => {
  const recorded = (action: string, handle: Operation): Operation =>
    Effect.fnUntraced(function*(input) {
      const { caller, params, payload, request } = input
      const asked = idsIn(params)
      const call = { action, request_id: requestId(request), address: Option.getOrNull(request.remoteAddress) }
      yield* log.append(caller, { ...call, outcome: "begun", subject: asked, request: jsonOf(payload) })
      const exit = yield* Effect.exit(handle(input))
      const subject = Exit.isSuccess(exit) ? { ...asked, ...idsIn(exit.value) } : asked
      yield* log.append(caller, { ...call, outcome: outcomeOf(exit), subject, request: null })
      return yield* exit
    })
  return <Operations extends object>(operations: Operations): Operations =>
    Object.fromEntries(
      Object.entries(operations).map(([action, handle]) => [action, recorded(action, handle)])
    ) as unknown as Operations
})
