/** Browsers that are signed in to the console of a service. */
import { Effect } from "effect"
import { ConsoleApi, SignInApi } from "../../src/api/ConsoleApi.ts"
import { operationsOf } from "../../src/api/operationsOf.ts"
import { type Answer, BASE_URL, field, type Sent, type wire } from "./wire.ts"

/** Every operation of the console, with and without a session. */
export const CONSOLE = [...operationsOf(ConsoleApi), ...operationsOf(SignInApi)]
  .map(({ endpoint: { method, path } }) => ({ method, path }))

/** The headers that a browser adds to a request of the console's own page. */
export const OF_CONSOLE = { "x-tributary-console": "1", "sec-fetch-site": "same-origin", origin: BASE_URL }

export const COOKIE = "__Host-tributary_session"

/** The secret that an answer hands to a browser. */
export const secretOf = ({ headers }: Answer): string =>
  new RegExp(`^${COOKIE}=([^;]*);`).exec(headers.get("set-cookie") ?? "")?.[1] ?? ""

export const tokenOf = (link: string): string => new URL(link).hash.replace("#token=", "")

export const consoled = Effect.fnUntraced(function*(service: Effect.Success<ReturnType<typeof wire>>) {
  const { account, operate, send } = service

  /** Sends what a page of the console sends. */
  const visit = (secret: string, method: string, path: string, { headers, ...sent }: Sent = {}) =>
    send(method, path, {
      key: null,
      ...sent,
      headers: { ...OF_CONSOLE, cookie: `theme=dark; ${COOKIE}=${secret}`, ...headers }
    })

  const signIn = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    send("POST", "/console/api/sign-in", { key: null, body: { token }, headers: { ...OF_CONSOLE, ...headers } })

  const linkFor = (body: object) =>
    Effect.map(
      Effect.suspend(() => operate("POST", "/sign-in-links", { body })),
      (answer) => field<string>(answer, "url")
    )

  const browser = Effect.fnUntraced(function*(link: string) {
    const answer = yield* signIn(tokenOf(link))
    const secret = secretOf(answer)
    return {
      secret,
      user_id: field<{ readonly user_id: string }>(answer, "user").user_id,
      session_id: field<{ readonly session_id: string }>(answer, "session").session_id,
      visit: (method: string, path: string, sent?: Sent) => visit(secret, method, path, sent),
      api: (method: string, path: string, sent?: Sent) => visit(secret, method, `/console/api${path}`, sent),
      audit: (workspaceId: string, query = "") =>
        visit(secret, "GET", `/v1/audit-log?${query}`, { headers: { "x-workspace-id": workspaceId } })
    }
  })

  const owner = yield* browser(yield* linkFor({ account_id: account.account_id }))

  /** A shared workspace of the owner's. */
  const newWorkspace = (name: string) =>
    Effect.map(owner.api("POST", "/workspaces", { body: { name } }), (answer) => field<string>(answer, "workspace_id"))

  /** The person who accepts an invitation to a workspace. */
  const invited = Effect.fnUntraced(function*(workspaceId: string, email: string, role: "owner" | "member") {
    const answer = yield* owner.api("POST", `/workspaces/${workspaceId}/invitations`, { body: { email, role } })
    return yield* browser(field<{ readonly url: string }>(answer, "link").url)
  })

  return { ...service, visit, signIn, linkFor, browser, owner, newWorkspace, invited }
})

export type Browser = Effect.Success<
  ReturnType<Effect.Success<ReturnType<typeof consoled>>["browser"]>
>
