/** Limits open event streams, each of which takes memory and a connection. */
import { RateLimitExceeded } from "@tributary/core/model/Error"
import { Effect, type Scope, Stream } from "effect"
import { EventStream } from "../response/EventStreams.ts"
import { Reply } from "../response/Reply.ts"
import type { Caller } from "./Authorization.ts"

/** Of a key or a person, and of a workspace. */
const LIMITS = [32, 128]
/** The `Retry-After`: a broken stream is noticed within this time. */
const RETRY_SECONDS = 15

const tooMany = (limit: number) =>
  new RateLimitExceeded({
    endpoint: "event_streams",
    message: `${limit} event streams are open already.`,
    limit,
    remaining: 0,
    window_seconds: RETRY_SECONDS,
    retry_after: RETRY_SECONDS
  })

/** A person's stream may be of several workspaces, and counts as theirs only. */
type Holder = Pick<Caller, "principal"> & Partial<Pick<Caller, "workspace">>

export const makeOpenStreams = () => {
  const open = new Map<string, number>()

  const count = (holder: string): number => open.get(holder) ?? 0
  const change = (holder: string, by: 1 | -1): void => {
    const changed = count(holder) + by
    if (changed === 0) open.delete(holder)
    else open.set(holder, changed)
  }

  /** Takes a place immediately, so that concurrent requests cannot share the last one. */
  const enter = ({ principal, workspace }: Holder): Effect.Effect<Effect.Effect<void>, RateLimitExceeded> =>
    Effect.suspend(() => {
      const holders = [principal.id, ...(workspace === undefined ? [] : [workspace.workspace_id])]
      for (const [at, holder] of holders.entries()) {
        if (count(holder) >= LIMITS[at]!) return Effect.fail(tooMany(LIMITS[at]!))
      }
      let held = true
      for (const holder of holders) change(holder, 1)
      return Effect.succeed(Effect.sync(() => {
        if (held) { for (const holder of holders) change(holder, -1) }
        held = false
      }))
    })

  /** The response of a handler to a caller that asked for events. */
  return <E>(
    caller: Holder,
    handled: Effect.Effect<unknown, E>
  ): Effect.Effect<unknown, E | RateLimitExceeded, Scope.Scope> =>
    Effect.gen(function*() {
      // Released with the request at the latest, because its stream may never start.
      const leave = yield* Effect.acquireRelease(enter(caller), (leave) => leave)
      const given = yield* handled
      const { body, headers, status } = Reply.of(given)
      return body instanceof EventStream
        ? new Reply(new EventStream(Stream.ensuring(body.events, leave), body.access), headers, status)
        : given
    })
}
