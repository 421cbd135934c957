/**
 * Requests whose bodies may be large take turns: at reading, since what is read is in memory, and at working, since work
 * on a large body takes long. A small body of the same operation waits for nobody.
 */
import { makeFairTurns } from "@tributary/core/FairTurns"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { LARGE } from "../body/JsonSurvey.ts"
import type { FormPart } from "../body/FormBody.ts"
import type { Caller } from "./Authorization.ts"
import { makeRefusedWork } from "./RefusedWork.ts"

const MESSAGE = "Too many large requests are being worked on."

/** A body without a length may be of any. */
const lengthOf = ({ headers }: HttpServerRequest): number => Number(headers["content-length"] ?? Infinity)

/** Of a body as it is read: its bytes, or the parts of a form. */
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

/** Runs the two steps of a request whose body may have `limit` bytes, with the turns that it takes. */
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
    const senders = [principal.id, ...Option.toArray(request.remoteAddress)]
    yield* refused.judge(senders)
    const [mayRead, mayWork] = [reading(workspace.workspace_id), working(workspace.workspace_id)]
    let bytes = 0
    const worked = Effect.flatMap(read, (raw) => {
      bytes = sizeOf(raw)
      return mayWork(work(raw))
    })
    return yield* Effect.tapError(mayRead(worked), (error) => {
      // A body that is too large without having said so was read as far as may be.
      const wasted = bytes === 0 && length === Infinity && error._tag === "payload_too_large" ? limit : bytes
      return wasted > LARGE ? refused.count(senders, wasted) : Effect.void
    })
  })
}
