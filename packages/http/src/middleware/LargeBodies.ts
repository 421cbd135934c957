/**
 * Requests with large bodies take turns: for reading, which takes memory, and for processing, which takes time. Small
 * bodies of the same operation do not wait.
 */
import { networkOf } from "@tributary/core/AuditLog"
import { makeFairTurns } from "@tributary/core/FairTurns"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { LARGE } from "../body/JsonSurvey.ts"
import type { FormPart } from "../body/FormBody.ts"
import type { Caller } from "./Authorization.ts"
import { makeRefusedWork } from "./RefusedWork.ts"

const MESSAGE = "Too many large requests are being worked on."

/** Without Content-Length, a body may have any size. */
const lengthOf = ({ headers }: HttpServerRequest): number => Number(headers["content-length"] ?? Infinity)

/** A body after reading: its bytes, or the parts of a form. */
const sizeOf = (raw: unknown): number =>
  raw instanceof Uint8Array
    ? raw.length
    : Array.isArray(raw)
    ? raw.reduce((sum: number, { bytes }: FormPart) => sum + bytes.length, 0)
    : 0

export interface Steps<Raw, A, E, R> {
  readonly read: Effect.Effect<Raw, E, R>
  readonly work: (raw: Raw) => Effect.Effect<A, E, R>
}

/** Runs the two steps of a request whose body may have up to `limit` bytes, with the necessary turns. */
export const makeLargeBodies = () => {
  const reading = makeFairTurns({ atOnce: 16, perKey: 4, most: 64, mostPerKey: 16, message: MESSAGE })
  const working = makeFairTurns({ atOnce: 2, perKey: 1, most: 64, mostPerKey: 16, message: MESSAGE })
  const refused = makeRefusedWork()
  return Effect.fnUntraced(function*<Raw, A, E extends { readonly _tag: string }, R>(
    request: HttpServerRequest,
    limit: number,
    { principal, workspace }: Caller,
    { read, work }: Steps<Raw, A, E, R>
  ) {
    const length = lengthOf(request)
    if (length <= LARGE) return yield* Effect.flatMap(read, work)
    const senders = [principal.id, ...Option.toArray(request.remoteAddress).map(networkOf)]
    yield* refused.judge(senders)
    const [mayRead, mayWork] = [reading(workspace.workspace_id), working(workspace.workspace_id)]
    let bytes = 0
    const worked = Effect.flatMap(read, (raw) => {
      bytes = sizeOf(raw)
      return mayWork(work(raw))
    })
    return yield* Effect.tapError(mayRead(worked), (error) => {
      // A body that was too large without a Content-Length was read up to the limit.
      const wasted = bytes === 0 && length === Infinity && error._tag === "payload_too_large" ? limit : bytes
      return wasted > LARGE ? refused.count(senders, wasted) : Effect.void
    })
  })
}
