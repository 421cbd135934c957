/** The HTTP API of an open knowledge base, for a server of the host's own. */
import { AuthenticationFailed } from "@tributary/core/model/Error"
import type { Scope as KeyScope } from "@tributary/core/model/Scope"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import { TrustedCallers } from "@tributary/http/middleware/Authorization"
import type { openRequests } from "@tributary/http/openRequests"
import { handlerOf as webHandlerOf } from "@tributary/http/WebHandler"
import { type Context, Effect, Option, Redacted, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A user of the host, and the user's scopes in a workspace. */
export interface HostCaller {
  readonly workspace: string
  /** The host's id of the user, for `created_by` and the audit log. */
  readonly user: string
  readonly scopes: ReadonlyArray<KeyScope>
}

export interface HandlerOptions {
  /** The public address of the API, such as `https://example.org` or `https://example.org/knowledge`. */
  readonly baseUrl: string
  /** Enables the operator API. At least 24 characters. */
  readonly adminToken?: string
  /** Whether to serve `/metrics`, without a credential. True by default. */
  readonly metrics?: boolean
  /**
   * Resolves the host's own credentials, such as access tokens sent as `Authorization: Bearer`. Return undefined at
   * once for any other credential, such as an API key; resolve to null for an invalid one, which gets a 401.
   */
  readonly callers?: (credential: string) => Promise<HostCaller | null> | undefined
}

export type WebHandler = (request: Request) => Promise<Response>
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

type App = Effect.Success<ReturnType<typeof Http.app>>
type Services = Exclude<Effect.Services<ReturnType<typeof Http.app>>, Scope.Scope>

const nobody = (message?: string) => Effect.fail(new AuthenticationFailed(message === undefined ? {} : { message }))

/** Callers that the host authenticates, in addition to those of a layer of the host. */
const vouching = (callers: NonNullable<HandlerOptions["callers"]>) =>
  Effect.gen(function*() {
    const workspaces = yield* Workspaces
    const others = yield* TrustedCallers
    return (credential: string) => {
      const found = callers(credential)
      if (found === undefined) return others(credential)
      return Effect.gen(function*() {
        const caller = yield* Effect.promise(() => found)
        if (caller === null) return yield* nobody()
        const workspace = yield* Effect.catchTag(
          workspaces.find(caller.workspace),
          "not_found",
          () => nobody("There is no workspace with this id.")
        )
        return { workspace, principal: { type: "user" as const, id: caller.user }, scopes: caller.scopes }
      })
    }
  })

const appOf = ({ adminToken, callers, ...options }: HandlerOptions, shutdown: Effect.Effect<void>) => {
  const app = Http.app({
    ...options,
    shutdown,
    adminToken: Option.map(Option.fromNullishOr(adminToken), Redacted.make)
  })
  return callers === undefined ? app : Effect.provideServiceEffect(app, TrustedCallers, vouching(callers))
}

/**
 * Makes handlers over services that are open; event streams end when `shutdown` does, and all else with the scope.
 * Requests run with the clock, the loggers and the tracer that the services have.
 */
export const handlersOver = (
  context: Context.Context<Services>,
  scope: Scope.Scope,
  requests: ReturnType<typeof openRequests>,
  shutdown: Effect.Effect<void>
) => {
  const build = <Handler>(
    options: HandlerOptions,
    handlerOf: (app: App, scope: Scope.Scope) => Effect.Effect<Handler>
  ) =>
    appOf(options, shutdown).pipe(
      Effect.flatMap((app) => handlerOf(requests.counted(app), scope)),
      Effect.provide(context),
      Scope.provide(scope),
      Effect.runPromise
    )
  return {
    handler: (options: HandlerOptions): Promise<WebHandler> => build(options, webHandlerOf),
    nodeHandler: async (options: HandlerOptions): Promise<NodeHandler> =>
      build(options, (await import("@tributary/http/NodeHandler")).handlerOf)
  }
}
