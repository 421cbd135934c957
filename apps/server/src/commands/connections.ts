/** `tributary connections`: list, sync, confirm, pause and delete connections. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { workspaceClient } from "../transport/clients.ts"
import { followSync, reportOf } from "./connect.ts"
import { columns, counted, moment } from "../cli/printing.ts"

export const list = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, client } = yield* workspaceClient(args)
  const connections = yield* ask(() => client.connections.list())
  const rows = connections.map(({ connected_at, connection_id, error, name, provider, resources, status }) => [
    connection_id,
    provider,
    status,
    String(resources.length),
    moment(connected_at),
    error === null ? name : `${name}: ${error}`
  ])
  return {
    json: connections,
    text: columns([["CONNECTION", "PROVIDER", "STATUS", "RESOURCES", "CONNECTED", "NAME"], ...rows])
  }
}, Effect.scoped)

export const sync = Effect.fnUntraced(function*(args: Arguments) {
  const [id = ""] = args.positionals
  const { ask, client } = yield* workspaceClient(args)
  const started = yield* ask(() => client.connections.sync(id))
  const connection = yield* ask(() => client.connections.get(id))
  const states = args.has("detach") ? started : yield* ask(() => followSync(client, id))
  return reportOf(connection, id, states)
}, Effect.scoped)

export const confirm = Effect.fnUntraced(function*(args: Arguments) {
  const [id = "", resource = ""] = args.positionals
  const { ask, client } = yield* workspaceClient(args)
  const state = yield* ask(() => client.connections.confirmDeletions(id, resource))
  return { json: state, text: `${counted(state.items_deleted, "item")} deleted from ${resource}.` }
}, Effect.scoped)

const change = (status: "active" | "paused") =>
  Effect.fnUntraced(function*(args: Arguments) {
    const [id = ""] = args.positionals
    const { ask, client } = yield* workspaceClient(args)
    const connection = yield* ask(() => client.connections.update(id, { status }))
    return { json: connection, text: `Connection ${connection.connection_id} is ${connection.status}.` }
  }, Effect.scoped)

export const pause = change("paused")

export const resume = change("active")

export const remove = Effect.fnUntraced(function*(args: Arguments) {
  const [id = ""] = args.positionals
  const delete_documents = args.has("documents")
  const { ask, client } = yield* workspaceClient(args)
  const deleted = yield* ask(() => client.connections.delete(id, { delete_documents }))
  return {
    json: deleted,
    text: `Connection ${deleted.connection_id} is deleted. Its documents ${delete_documents ? "go, too" : "stay"}.`
  }
}, Effect.scoped)
