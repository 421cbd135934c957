/** The whole service in this process: requests go in at the router, answers come out, and the clock is the test's. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import type { Asks } from "@tributary/core/Asks"
import type { Connectors } from "@tributary/core/Connectors"
import type { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { OPERATOR } from "@tributary/core/model/Principal"
import { EVERYTHING, type Scope as KeyScope } from "@tributary/core/model/Scope"
import type { Tier } from "@tributary/core/model/Plan"
import type { OperatorLog } from "@tributary/core/OperatorLog"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer, Option, Redacted, Ref, Scope } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Http from "../../src/Http.ts"
import { heard } from "./heard.ts"
import { eventReads, tributary } from "./services.ts"

export const BASE_URL = "https://tributary.test"
export const ADMIN_TOKEN = "operator-token-of-the-tests"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Responses are checked by their content, which no type guarantees.
  readonly body: unknown
}

export interface Sent {
  readonly key?: string | null
  readonly body?: unknown
  /** Raw bytes or text instead of a body as JSON. */
  readonly raw?: Uint8Array<ArrayBuffer> | string
  readonly headers?: Readonly<Record<string, string>>
  /** The client's address. */
  readonly address?: string
}

export { EVERYTHING }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toRequest = (method: string, path: string, { body, headers = {}, raw }: Sent, key: string | null): Request => {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return new Request(BASE_URL + path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(content === undefined
      ? {}
      : { body: typeof content === "string" ? new TextEncoder().encode(content) : content })
  })
}

interface Options {
  readonly operator?: boolean
  readonly metrics?: boolean
  readonly mcp?: boolean
  readonly tier?: Tier
  readonly scopes?: ReadonlyArray<KeyScope>
  /** Whether background jobs wait until `hold(false)`. */
  readonly held?: boolean
  readonly shutdown?: Effect.Effect<void>
  /** Replaces services that work. */
  readonly instead?:
    | Layer.Layer<Asks>
    | Layer.Layer<Connectors>
    | Layer.Layer<KnowledgeContext>
    | Layer.Layer<OperatorLog>
    | Layer.Layer<Workspaces, never, Workspaces>
}

/** Sends requests to a server, with a key that a request may replace. */
export const sender = Effect.fnUntraced(
  function*(app: Effect.Success<ReturnType<typeof Http.app>>, key: string | null) {
    const scope = yield* Effect.scope

    const open = Effect.fnUntraced(function*(request: Request, address?: string) {
      const received = HttpServerRequest.fromWeb(request).modify({ remoteAddress: Option.fromUndefinedOr(address) })
      const response = yield* app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, received),
        Effect.provideService(Scope.Scope, yield* Scope.fork(scope)),
        Effect.orDie
      )
      return HttpServerResponse.toWeb(response)
    })

    /** `address` is the client's. */
    const handle = Effect.fnUntraced(function*(request: Request, address?: string) {
      const web = yield* open(request, address)
      const text = yield* Effect.promise(() => web.text())
      const answer: Answer = { status: web.status, headers: web.headers, text, body: parsed(text) }
      return answer
    })

    const send = (method: string, path: string, sent: Sent = {}) =>
      Effect.suspend(() => handle(toRequest(method, path, sent, sent.key === undefined ? key : sent.key), sent.address))

    /** Opens an answer that is not waited for. */
    const listen = Effect.fnUntraced(function*(method: string, path: string, sent: Sent = {}) {
      const web = yield* open(toRequest(method, path, {
        ...sent,
        headers: { accept: "text/event-stream", ...sent.headers }
      }, sent.key ?? key))
      return yield* heard(web)
    })

    return {
      open,
      handle,
      send,
      listen,
      operate: (method: string, path: string, sent: Sent = {}) =>
        send(method, `/admin/v1${path}`, { key: ADMIN_TOKEN, ...sent })
    }
  }
)

const make = Effect.fnUntraced(function*(options: Options) {
  const workspaces = yield* Workspaces
  const keys = yield* ApiKeys
  const app = yield* Http.app({
    baseUrl: `${BASE_URL}/`,
    adminToken: options.operator === false ? Option.none() : Option.some(Redacted.make(ADMIN_TOKEN)),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    mcp: options.mcp === false ? undefined : () => import("@tributary/mcp/HttpEndpoint"),
    ...(options.shutdown && { shutdown: options.shutdown })
  })

  const account = yield* workspaces.createAccount({ name: "Account", tier: options.tier ?? "free" })
  const workspace = account.personal_workspace
  const newKey = (scopes: ReadonlyArray<KeyScope>, workspaceId: string = workspace.workspace_id) =>
    keys.create(workspaceId, { name: "Key", scopes }, OPERATOR)
  const issued = yield* newKey(options.scopes ?? EVERYTHING)
  return { ...yield* sender(app, issued.secret), newKey, key: issued, workspace, account }
})

/** A separate store, a workspace with a key that has all scopes, and a function that sends requests with it. */
export const wire = Effect.fnUntraced(function*(options: Options = {}) {
  const held = yield* Ref.make(options.held ?? false)
  const reads = yield* eventReads
  const all = tributary(held, reads)
  const services = yield* Layer.build(
    options.instead === undefined ? all : Layer.provideMerge(options.instead as Layer.Layer<Asks>, all)
  )
  const made = yield* Effect.provide(make(options), services)
  return { ...made, reads, hold: (value: boolean) => Ref.set(held, value) }
})

/** One field of an answer's body. */
export const field = <A>(answer: Answer, name: string): A => (answer.body as Readonly<Record<string, A>>)[name]!

/** The code of a failure. */
export const code = ({ body }: Answer): string | undefined =>
  (body as { readonly error_code?: string } | undefined)?.error_code

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
