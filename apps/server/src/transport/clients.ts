/** Clients for commands: of the given server, or else of the configured storage. */
import { createClient } from "@tributary/client"
import { createOperator } from "@tributary/client/operator"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Arguments } from "../cli/Command.ts"
import { isBaseUrl } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { chooseWorkspace, firstWorkspaces } from "./chooseWorkspace.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { asking, listing } from "./failures.ts"
import { requireData } from "../storage/requireData.ts"
import { overHttp } from "./overHttp.ts"
import type { Transport } from "./Transport.ts"

const NOTHING_TO_REACH =
  "There is no store to work on: with TRIBUTARY_STORAGE=memory, data lives in the server's process alone. Name the " +
  "server with --url and --key (or TRIBUTARY_URL and TRIBUTARY_KEY), or set TRIBUTARY_STORAGE."

const openStore = Effect.fnUntraced(function*(settings: Settings.Settings) {
  const { localStore } = yield* Effect.promise(() => import("./localStore.ts"))
  return yield* localStore(settings)
})

/** Through the server that holds the data directory, if there is one. A command that follows would keep it out. */
const embedded = Effect.fnUntraced(function*(directory: string, settings: Settings.Settings, follows: boolean) {
  yield* requireData(settings.storage)
  const { overSocket } = yield* Effect.promise(() => import("./overSocket.ts"))
  const transport = yield* overSocket(directory)
  if (transport !== null) return transport
  if (follows) return yield* failed(`No server runs on ${directory}, so there is nothing to follow. Start it first.`)
  return yield* openStore(settings)
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
      return yield* embedded(settings.storage.directory, settings, args.has("follow"))
    case "postgres":
      // A command may have the wrong address or schema, or be of a later release than the servers.
      return yield* openStore({ ...settings, storage: { ...settings.storage, migrate: "check" } })
  }
})

/** Interactive commands fail at once if the store is locked; only those that push wait. */
const connectionOf = ({ baseUrl, fetch }: Transport, apiKey: string, patient: boolean) => ({
  baseUrl,
  fetch,
  apiKey,
  ...(patient ? {} : { retries: { attempts: 1 } })
})

const callsTo = ({ target }: Transport) => ({
  ask: <A>(call: (signal: AbortSignal) => Promise<A>) => asking(target, call),
  list: <A>(entries: AsyncIterable<A>) => listing(target, entries)
})

/** A client for the chosen workspace. */
export const workspaceClient = Effect.fnUntraced(function*(args: Arguments, { patient = false } = {}) {
  const transport = yield* transportFor(args)
  const connection = connectionOf(transport, yield* transport.workspaceKey(args.value("workspace")), patient)
  return { client: createClient(connection), connection, ...callsTo(transport), streams: transport.streams }
})

export type WorkspaceClient = Effect.Success<ReturnType<typeof workspaceClient>>

/** A client for the operator; `choose` finds the given workspace, or else the only one. */
export const operatorClient = Effect.fnUntraced(function*(args: Arguments) {
  const transport = yield* transportFor(args)
  const token = yield* transport.operatorToken
  const client = createOperator(connectionOf(transport, token, false))
  const calls = callsTo(transport)
  const choose = chooseWorkspace(args.value("workspace"), calls.ask(() => firstWorkspaces(client)))
  return { client, ...calls, choose }
})

export type OperatorClient = Effect.Success<ReturnType<typeof operatorClient>>
