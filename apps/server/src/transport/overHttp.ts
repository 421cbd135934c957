/** Sends requests to a server at an address, with a workspace's key or the operator's token. */
import { AuthenticationError, ConnectionError, createClient, TributaryError } from "@tributary/client"
import { createOperator } from "@tributary/client/operator"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Arguments } from "../cli/Command.ts"
import type { Settings } from "../settings/Settings.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { asking, codeOf } from "./failures.ts"
import type { Transport } from "./Transport.ts"

/** The secret of the option, or else of the setting. */
const secretOf = Effect.fnUntraced(function*(
  args: Arguments,
  setting: Option.Option<Redacted.Redacted>,
  variable: string,
  what: string
) {
  const secret = args.value("key") ?? Option.getOrUndefined(Option.map(setting, Redacted.value))
  if (secret === undefined) return yield* calledWrongly(`This command needs ${what}: set ${variable}, or give --key.`)
  // Visible ASCII, as a header takes it.
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  return yield* calledWrongly(`--key, or ${variable}, has characters that a header cannot contain.`)
})

/** A token without the scope to list workspaces is valid as well. */
const unlessNarrow = (error: unknown): void => {
  if (!(error instanceof TributaryError) || error.status !== 403) throw error
}

export const overHttp = (baseUrl: string, args: Arguments, settings: Settings): Transport => {
  const target = `The server at ${baseUrl}`
  const { fetch } = globalThis
  const once = { baseUrl, fetch, retries: { attempts: 1 } }

  const withMessages = <A>(ask: () => Promise<A>, unknown: string, absent: string) =>
    asking(target, () =>
      ask().catch((error: unknown) => {
        if (error instanceof AuthenticationError) throw failed(unknown)
        if (error instanceof TributaryError && error.status === 404) throw failed(absent)
        if (error instanceof ConnectionError && error.code !== "timeout") {
          const code = codeOf(error.cause) ?? "no connection"
          throw failed(`No server answers at ${baseUrl} (${code}). Is it running, and is this its address?`)
        }
        throw error
      }))

  const operatorToken = Effect.gen(function*() {
    const apiKey = yield* secretOf(
      args,
      settings.adminToken,
      "TRIBUTARY_ADMIN_TOKEN",
      "the operator's token of the server"
    )
    yield* withMessages(
      () => createOperator({ ...once, apiKey }).workspaces.list({ limit: 1 }).pages().next().catch(unlessNarrow),
      `${target} does not take this operator's token. It is the TRIBUTARY_ADMIN_TOKEN that the server was started with, or that of an operator who is neither revoked nor expired.`,
      `The operator API of ${baseUrl} is off. Start the server with TRIBUTARY_ADMIN_TOKEN to switch it on.`
    )
    return apiKey
  })

  const workspaceKey = Effect.fnUntraced(function*(workspace: string | undefined) {
    const apiKey = yield* secretOf(args, settings.key, "TRIBUTARY_KEY", "an API key")
    const { workspace_id } = yield* withMessages(
      () => createClient({ ...once, apiKey }).usage(),
      `${target} does not take this API key. It may be revoked, expired, or of another server.`,
      `${baseUrl} is no Tributary server.`
    )
    if (workspace !== undefined && workspace.toLowerCase() !== workspace_id) {
      return yield* failed(`This API key belongs to workspace ${workspace_id}, and to no other.`)
    }
    return apiKey
  })

  return { target, baseUrl, fetch, streams: true, operatorToken, workspaceKey }
}
