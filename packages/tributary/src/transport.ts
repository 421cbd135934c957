/**
 * Sends the client's requests to the router without a network. A random token per instance identifies the client's
 * calls. So validation, errors and answers are the same as over HTTP.
 */
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import { operatorIn, TrustedCallers } from "@tributary/http/middleware/Authorization"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"

/** The address of requests of this kind; nothing listens there. */
export const BASE_URL = "http://tributary.internal"

const newToken = (): string => randomBytes(32).toString("hex")

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const make = Effect.fn(function*(shutdown: Effect.Effect<void>) {
  const token = newToken()
  const operatorToken = newToken()
  const workspaces = yield* Workspaces

  const callerFor = (credential: string) => {
    const workspaceId = credential.slice(token.length + 1)
    return isSame(credential.slice(0, token.length + 1), `${token}.`)
      ? operatorIn(workspaces, workspaceId)
      : undefined
  }

  const app = yield* Http.app({
    baseUrl: BASE_URL,
    adminToken: Option.some(Redacted.make(operatorToken)),
    adminName: "host",
    shutdown
  }).pipe(Effect.provideService(TrustedCallers, callerFor))

  // A malformed id stays visible characters, as every credential is.
  const credentialFor = (workspaceId: string) => `${token}.${encodeURIComponent(workspaceId.toWellFormed())}`

  return { app, operatorToken, credentialFor }
})

export class Transport
  extends Context.Service<Transport, Effect.Success<ReturnType<typeof make>>>()("@tributary/tributary/Transport")
{
  /** Event streams end when `shutdown` does. */
  static readonly layer = (shutdown: Effect.Effect<void>) => Layer.effect(Transport, make(shutdown))
}
