/** The HTTP API of an open knowledge base, for a server of the host's own. */
import { AuthenticationFailed, StorageUnavailable } from "@tributary/core/model/Error"
import { HOST_TOKEN } from "@tributary/core/model/Operator"
import { isNarrowed, type Scope as KeyScope } from "@tributary/core/model/Scope"
import { TokenFilter } from "@tributary/core/model/Token"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import { TrustedCallers, workspaceOf } from "@tributary/http/middleware/Authorization"
import type { openRequests } from "@tributary/http/openRequests"
import { mountedHandlerOf } from "@tributary/http/WebHandler"
import { type Context, Duration, Effect, Option, Redacted, Schema, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { namingPackage } from "./missingPackage.ts"
import { checkFields, flag, type Rule, rule, webAddress } from "./rules.ts"

/** A user of the host, and the user's scopes in a workspace. */
export interface HostCaller {
  readonly workspace: string
  /** The host's id of the user, for `created_by` and the audit log. */
  readonly user: string
  readonly scopes: ReadonlyArray<KeyScope>
  /**
   * The documents that the user sees, as with a token: by `sources`, `metadata`, `from` and `to`. All by default. With a
   * filter, only scopes that read count.
   */
  readonly filter?: TokenFilter
}

/** The options of the HTTP API inside a server of the host. */
export interface HandlerOptions {
  /** The public address of the API, such as `https://example.org` or `https://example.org/knowledge`. */
  readonly baseUrl: string
  /** Enables the operator API. At least 24 characters of visible ASCII, without commas. */
  readonly adminToken?: string | undefined
  /** Whether to serve `/metrics`, without a credential. True by default. */
  readonly metrics?: boolean | undefined
  /** Whether to serve `/mcp`, for assistants with an API key. True by default. */
  readonly mcp?: boolean | undefined
  /**
   * Resolves the host's own credentials, such as access tokens sent as `Authorization: Bearer`. Return undefined at
   * once for any other credential, such as an API key; resolve to null for an invalid one, which gets a 401. A promise
   * that rejects gets a 500, and one that does not settle within half a minute a 503.
   */
  readonly callers?: ((credential: string) => Promise<HostCaller | null> | undefined) | undefined
}

const RULES: Readonly<Record<keyof HandlerOptions, Rule>> = {
  baseUrl: webAddress,
  adminToken: rule(HOST_TOKEN.mustBe, (value) => HOST_TOKEN.pattern.test(String(value))),
  metrics: flag,
  mcp: flag,
  callers: rule("a function", (value) => typeof value === "function")
}

/** Throws a `TypeError` for an unknown option, one of another type, and for a missing address. */
const checkHandlerOptions = (options: HandlerOptions): void =>
  checkFields(RULES, Object.assign({ baseUrl: null }, options), "a handler")

export type WebHandler = (request: Request) => Promise<Response>
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

type App = Effect.Success<ReturnType<typeof Http.app>>
type Services = Exclude<Effect.Services<ReturnType<typeof Http.app>>, Scope.Scope>

const CALLER_TIMEOUT = Duration.seconds(30)

const late = Effect.suspend(() =>
  Effect.fail(new StorageUnavailable({ cause: `callers did not settle within ${Duration.format(CALLER_TIMEOUT)}` }))
)

/** A misspelled condition would show everything. */
const filterOf = Schema.decodeUnknownEffect(Schema.toType(TokenFilter), { onExcessProperty: "error" })

/** What a caller may do in all of the workspace, or in a part of it, where nothing can be changed. */
const rightsOf = ({ filter, scopes }: HostCaller) =>
  filter === undefined
    ? Effect.succeed({ scopes })
    : Effect.map(filterOf(filter), (filter) => ({ scopes: scopes.filter(isNarrowed), token: { filter } }))

/** Callers that the host authenticates, in addition to those of a layer of the host. */
const hostCallers = (callers: NonNullable<HandlerOptions["callers"]>) =>
  Effect.gen(function*() {
    const workspaces = yield* Workspaces
    const others = yield* TrustedCallers
    return (credential: string) => {
      const found = callers(credential)
      if (found === undefined) return others(credential)
      return Effect.gen(function*() {
        const caller = yield* Effect.timeoutOrElse(Effect.promise(() => found), {
          duration: CALLER_TIMEOUT,
          orElse: () => late
        })
        if (caller === null) return yield* new AuthenticationFailed()
        const workspace = yield* workspaceOf(workspaces, caller.workspace)
        const rights = yield* Effect.orDie(rightsOf(caller))
        return { workspace, principal: { type: "user" as const, id: caller.user }, ...rights }
      })
    }
  })

const appOf = ({ adminToken, callers, mcp = true, ...options }: HandlerOptions, shutdown: Effect.Effect<void>) => {
  const app = Http.app({
    ...options,
    shutdown,
    mcp: mcp ? () => import("@tributary/mcp/HttpEndpoint") : undefined,
    adminToken: Option.map(Option.fromNullishOr(adminToken), Redacted.make)
  })
  return callers === undefined ? app : Effect.provideServiceEffect(app, TrustedCallers, hostCallers(callers))
}

/**
 * Makes handlers over services that are open; event streams end when `requests` are stopped, and all else with the
 * scope. Requests run with the clock, the loggers and the tracer that the services have.
 */
export const handlersOver = (
  context: Context.Context<Services>,
  scope: Scope.Scope,
  requests: ReturnType<typeof openRequests>
) => {
  const build = <Handler>(
    options: HandlerOptions,
    handlerOf: (app: App, scope: Scope.Scope, isStopped: () => boolean) => Effect.Effect<Handler>
  ) =>
    appOf(options, requests.stopped).pipe(
      Effect.flatMap((app) => handlerOf(requests.counted(app), scope, requests.isStopped)),
      Effect.provide(context),
      Scope.provide(scope),
      Effect.runPromise
    )
  return {
    handler: async (options: HandlerOptions): Promise<WebHandler> => {
      checkHandlerOptions(options)
      return build(options, mountedHandlerOf)
    },
    nodeHandler: async (options: HandlerOptions): Promise<NodeHandler> => {
      checkHandlerOptions(options)
      const { handlerOf } = await import("@tributary/http/NodeHandler").catch((error: unknown) => {
        throw namingPackage("A handler for Node", "@effect/platform-node", error)
      })
      return build(options, handlerOf)
    }
  }
}
