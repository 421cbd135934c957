/** Connects a command to the given server, or else to the configured storage. */
import { createClient } from "@tributary/client"
import { createOperator } from "@tributary/client/operator"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Arguments } from "../command/Command.ts"
import { isBaseUrl } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { chooseWorkspace, firstWorkspaces } from "./chooseWorkspace.ts"
import { calledWrongly } from "../command/UsageError.ts"
import { asking, listing } from "./failures.ts"
import { requireData } from "../storage/requireData.ts"
import { overHttp } from "./overHttp.ts"
import type { Transport } from "./Transport.ts"

const NOTHING_TO_REACH =
  "There is no store to work on: with TRIBUTARY_STORAGE=memory, data lives in the server's process alone. Name the " +
  "server with --url and --key (or TRIBUTARY_URL and TRIBUTARY_KEY), or set TRIBUTARY_STORAGE."

const embedded = Effect.fnUntraced(function*(directory: string, settings: Settings.Settings) {
  yield* requireData(settings.storage)
  const { overSocket } = yield* Effect.promise(() => import("./overSocket.ts"))
  const server = yield* overSocket(directory)
  if (server !== null) return server
  const { localStore } = yield* Effect.promise(() => import("./localStore.ts"))
  return yield* localStore(settings)
})

const transportFor = Effect.fnUntraced(function*(args: Arguments) {
  const settings = yield* Settings.load
  const url = args.value("url") ?? Option.getOrUndefined(settings.url)
  if (url !== undefined) {
    if (!isBaseUrl(url)) return yield* calledWrongly(`"${url}" is no http or https address.`)
    return overHttp(url.replace(/\/+$/, ""), args, settings)
  }
  if (args.has("key")) return yield* calledWrongly("--key is for a server: name it with --url, or set TRIBUTARY_URL.")
  switch (settings.storage.kind) {
    case "memory":
      return yield* calledWrongly(NOTHING_TO_REACH)
    case "embedded":
      return yield* embedded(settings.storage.directory, settings)
    case "postgres": {
      const { localStore } = yield* Effect.promise(() => import("./localStore.ts"))
      return yield* localStore(settings)
    }
  }
})

/** Interactive commands fail at once if the store is locked; only those that push wait. */
const connectionOf = ({ baseUrl, fetch }: Transport, apiKey: string, patient: boolean) => ({
  baseUrl,
  fetch,
  apiKey,
  ...(patient ? {} : { retries: { attempts: 1 } })
})

/** A client for the chosen workspace. */
export const workspace = Effect.fnUntraced(function*(args: Arguments, { patient = false } = {}) {
  const transport = yield* transportFor(args)
  const connection = connectionOf(transport, yield* transport.workspaceKey(args.value("workspace")), patient)
  const ask = <A>(call: (signal: AbortSignal) => Promise<A>) => asking(transport.whom, call)
  const list = <A>(entries: AsyncIterable<A>) => listing(transport.whom, entries)
  return { client: createClient(connection), connection, ask, list, streams: transport.streams }
})

/** A client for the operator; `choose` finds the given workspace, or else the only one. */
export const operator = Effect.fnUntraced(function*(args: Arguments) {
  const transport = yield* transportFor(args)
  const token = yield* transport.operatorToken
  const client = createOperator(connectionOf(transport, token, false))
  const ask = <A>(call: () => Promise<A>) => asking(transport.whom, call)
  const list = <A>(entries: AsyncIterable<A>) => listing(transport.whom, entries)
  return { client, ask, list, choose: chooseWorkspace(args.value("workspace"), ask(() => firstWorkspaces(client))) }
})
