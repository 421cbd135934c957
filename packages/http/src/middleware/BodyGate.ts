/**
 * Limits the work that bodies cause. Large ones take turns: for reading, which takes memory, and for processing, which
 * takes time. Refused ones are counted. Small bodies neither wait nor count.
 */
import { networkOf } from "@tributary/core/AuditLog"
import { makeFairQueue } from "@tributary/core/FairQueue"
import { Overloaded } from "@tributary/core/model/Error"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingMessage } from "node:http"
import { LARGE, SMALL } from "../body/RequestBytes.ts"
import type { FormPart } from "../body/FormBody.ts"
import type { Caller } from "./Authorization.ts"
import { makeRefusedWork } from "./RefusedWork.ts"

const MESSAGE = "Too many large requests are being worked on."

/** Without Content-Length, a body may have any size. */
const lengthOf = ({ headers }: HttpServerRequest): number => Number(headers["content-length"] ?? Infinity)

const isSmall = (request: HttpServerRequest): boolean => lengthOf(request) <= SMALL

/** Failures of the body itself. What an operation refuses, such as a document over a quota, is not counted. */
const OF_BODIES: ReadonlySet<string> = new Set(["payload_too_large", "validation_error"])

/**
 * Workspaces may share an address, such as that of a proxy, so an address counts only without a workspace: operators
 * have none, and somebody who signs in is nobody yet.
 */
const sendersOf = (request: HttpServerRequest, caller: Partial<Caller> | undefined): ReadonlyArray<string> =>
  caller?.workspace === undefined
    ? [
      ...(caller?.principal === undefined ? [] : [caller.principal.id]),
      ...Option.toArray(request.remoteAddress).map(networkOf)
    ]
    : [caller.workspace.workspace_id]

/** A body after reading: its bytes, or the parts of a form. */
const sizeOf = (raw: unknown): number =>
  raw instanceof Uint8Array
    ? raw.length
    : Array.isArray(raw)
    ? raw.reduce((sum: number, { bytes }: FormPart) => sum + bytes.length, 0)
    : 0

export interface Tagged {
  readonly _tag: string
}

export interface Steps<Raw, A, Unreadable, Refused, R> {
  readonly read: Effect.Effect<Raw, Unreadable, R>
  readonly work: (raw: Raw) => Effect.Effect<A, Refused, R>
}

/** How often the rate of an arriving body is looked at, and how many bytes must have arrived since: 2 Mbit a second. */
const RATE_INTERVAL = "5 seconds"
const MIN_BYTES = 1_310_720

/**
 * Fails once a body arrives slowly while others wait for its place. Only Node says how much of a body has arrived.
 */
const outpaced = ({ source }: HttpServerRequest, isCrowded: () => boolean): Effect.Effect<never, Overloaded> => {
  const { socket } = source as Partial<IncomingMessage>
  if (socket === undefined) return Effect.never
  let before = socket.bytesRead
  const isSlow = Effect.sync(() => {
    const arrived = socket.bytesRead - before
    before += arrived
    return arrived < MIN_BYTES && isCrowded()
  })
  return Effect.andThen(
    Effect.repeat(Effect.delay(isSlow, RATE_INTERVAL), { until: (isSlow) => isSlow }),
    Effect.fail(new Overloaded({ message: MESSAGE }))
  )
}

/** Runs the two steps of a large body, each in its turn. */
const makeTurns = () => {
  // What waits to be read takes no memory yet, and four workspaces must not keep all others out.
  const reading = makeFairQueue({ atOnce: 16, perKey: 4, most: 1_024, mostPerKey: 16, message: MESSAGE })
  const working = makeFairQueue({ atOnce: 2, perKey: 1, most: 64, mostPerKey: 16, message: MESSAGE })
  return <Raw, A, Unreadable, Refused, R>(
    request: HttpServerRequest,
    workspaceId: string,
    { read, work }: Steps<Raw, A, Unreadable, Refused, R>
  ) => {
    // Without Content-Length, only reading shows that a body is small. Then it needs no turn any more.
    const whileRead = Effect.flatMap(
      Effect.raceFirst(read, outpaced(request, reading.isCrowded)),
      (raw) =>
        sizeOf(raw) > LARGE ? Effect.map(working(workspaceId)(work(raw)), Effect.succeed) : Effect.succeed(work(raw))
    )
    return Effect.flatten(reading(workspaceId)(whileRead))
  }
}

/** Runs the two steps of a request whose body may have up to `limit` bytes, with the necessary turns. */
export const makeBodyGate = () => {
  const inTurns = makeTurns()
  const refused = makeRefusedWork()

  const takeCounted = Effect.fnUntraced(
    function*<Raw, A, Unreadable extends Tagged, Refused extends Tagged, R>(
      request: HttpServerRequest,
      limit: number,
      caller: Caller,
      steps: Steps<Raw, A, Unreadable, Refused, R>
    ) {
      const senders = sendersOf(request, caller)
      yield* refused.check(senders)
      const length = lengthOf(request)
      let bytes = 0
      const read = Effect.map(steps.read, (raw) => {
        bytes = sizeOf(raw)
        return raw
      })
      const worked = length > LARGE && limit > LARGE
        ? inTurns(request, caller.workspace.workspace_id, { read, work: steps.work })
        : Effect.flatMap(read, steps.work)
      return yield* Effect.tapError(worked, ({ _tag }) => {
        // A body that was too large without a Content-Length was read up to the limit.
        const wasted = bytes === 0 && length === Infinity && _tag === "payload_too_large" ? limit : bytes
        return wasted > SMALL && OF_BODIES.has(_tag) ? refused.count(senders, wasted) : Effect.void
      })
    }
  )

  return {
    take: <Raw, A, Unreadable extends Tagged, Refused extends Tagged, R>(
      request: HttpServerRequest,
      limit: number,
      caller: Caller,
      steps: Steps<Raw, A, Unreadable, Refused, R>
    ) => isSmall(request) ? Effect.flatMapEager(steps.read, steps.work) : takeCounted(request, limit, caller, steps),
    /** Counts a body that was refused later. */
    refuse: (request: HttpServerRequest, caller: Caller, bytes: number): Effect.Effect<void> =>
      bytes > SMALL ? refused.count(sendersOf(request, caller), bytes) : Effect.void
  }
}
