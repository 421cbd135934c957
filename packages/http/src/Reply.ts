/** What a handler answers beyond a plain success: another status, more headers. */
import type { RateLimits } from "@tributary/core/RateLimits"
import type { LimitedOperation } from "@tributary/core/model/Plan"
import type { RateWindow } from "@tributary/core/model/Usage"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Effect, Schema } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export class Reply<out A> {
  readonly body: A
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(body: A, headers: Readonly<Record<string, string>> = {}, status?: number) {
    this.body = body
    this.headers = headers
    this.status = status
  }

  withHeaders(headers: Readonly<Record<string, string>>): Reply<A> {
    return new Reply(this.body, { ...this.headers, ...headers }, this.status)
  }
}

const rateHeaders = ({ limit, window_seconds, remaining, reset }: RateWindow): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
  "ratelimit-policy": `${limit};w=${window_seconds}`
})

/** Spends one request of the operation's window, then runs it, and tells on its answer what is left. */
export const limited = <A, E, R>(
  limits: RateLimits["Service"],
  workspace: WorkspaceRecord,
  operation: LimitedOperation,
  run: Effect.Effect<A | Reply<A>, E, R>
) =>
  Effect.flatMap(limits.take(workspace, operation), (window) =>
    window === null ? run : Effect.map(run, (answer) => {
      const reply = answer instanceof Reply ? answer : new Reply(answer)
      return reply.withHeaders(rateHeaders(window))
    }))

/** The schemas of an endpoint's successes, by status. */
export type Successes = ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>

/** Makes the encoder of an endpoint's successes; the first is meant when a handler names no status. */
export const encoderOf = (successes: Successes) => {
  const encoders = new Map([...successes].map(([status, [schema]]) => [
    status,
    // Schemas of the wire need no services, which their general type does not say.
    Schema.encodeUnknownSync(schema as Schema.Codec<unknown>)
  ]))
  const [usual] = successes.keys()
  return (answer: unknown): HttpServerResponse.HttpServerResponse => {
    const { body, headers, status = usual! } = answer instanceof Reply ? answer : new Reply(answer)
    return HttpServerResponse.jsonUnsafe(encoders.get(status)!(body), { status, headers })
  }
}
