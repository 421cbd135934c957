/** `tributary connect`: connects a source, and shows the progress of its first sync. */
import type { Client, SyncState } from "@tributary/client"
import * as Effect from "effect/Effect"
import type { Arguments, Report } from "../cli/Command.ts"
import { configOf, type Field, fieldsOf, missingFrom, optionsOf, placeOf } from "./connect/fields.ts"
import { hasTerminal, promptHidden } from "./connect/promptHidden.ts"
import { ProgressBar } from "../cli/ProgressBar.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { workspaceClient } from "../transport/clients.ts"
import { wholeNumberOf } from "./optionValues.ts"
import { columns, count, counted, onOneLine } from "../cli/printing.ts"

/** The polling interval of a sync in milliseconds. */
const PACE = 500

const isOver = ({ status }: SyncState): boolean => status !== "pending" && status !== "running"

/** Waits until every resource has been synced, or failed. */
export const followSync = async (client: Client, connectionId: string): Promise<ReadonlyArray<SyncState>> => {
  const bar = new ProgressBar()
  try {
    while (true) {
      const states = await client.connections.states(connectionId)
      const [done, total, ingested] = states.reduce(([done, total, sum], state) => [
        done + (isOver(state) ? 1 : state.completed_windows / Math.max(1, state.total_windows)),
        total + 1,
        sum + state.items_ingested
      ], [0, 0, 0])
      bar.show(done! / Math.max(1, total!), counted(ingested!, "item"))
      if (states.every(isOver)) return states
      await new Promise((resolve) => setTimeout(resolve, PACE))
    }
  } finally {
    bar.clear()
  }
}

const rowOf = (state: SyncState): ReadonlyArray<string> => [
  state.resource,
  state.status,
  count(state.items_ingested),
  count(state.items_deleted),
  [
    ...state.error === null ? [] : [state.error],
    ...state.rejected.length === 0 ? [] : [`over the plan: ${state.rejected.length}`],
    ...state.skipped.length === 0 ? [] : [`skipped: ${state.skipped.length}`],
    ...state.deletions_held === 0 ? [] : [`deletions to confirm: ${state.deletions_held}`]
  ].map(onOneLine).join("; ")
]

export const reportOf = (connection: object, connectionId: string, states: ReadonlyArray<SyncState>): Report => ({
  json: { ...connection, sync: states },
  text: [
    `Connection ${connectionId}`,
    columns([["RESOURCE", "STATUS", "INGESTED", "DELETED", "REMARKS"], ...states.map(rowOf)])
  ].join("\n"),
  ...(states.some(({ status }) => status === "failed") ? { failure: "Not everything could be synced." } : {})
})

/** Prompts for missing secrets if there is a terminal. */
const completed = Effect.fnUntraced(
  function*(config: Readonly<Record<string, unknown>>, fields: ReadonlyArray<Field>) {
    const missing = missingFrom(config, fields, hasTerminal())
    const open = missing.filter(({ secret }) => !secret)
      .map((field) => field === placeOf(fields) ? `PLACE, which is its ${field.name}` : `--${field.name}`)
    if (open.length > 0) {
      return yield* calledWrongly(`What is missing: ${open.join(", ")}. The provider takes\n\n${optionsOf(fields)}`)
    }
    if (missing.length > 0 && !hasTerminal()) {
      const [{ name }] = missing as [Field]
      return yield* calledWrongly(
        `--${name} is missing: give it as --${name} env:NAME, --${name} file:PATH, or --${name} - for standard input.`
      )
    }
    const asked = yield* Effect.forEach(missing, ({ name }) =>
      Effect.map(
        Effect.tryPromise({ try: () => promptHidden(name), catch: () => failed("Nothing was connected.") }),
        (value) => [name, value] as const
      ))
    return { ...config, ...Object.fromEntries(asked) }
  }
)

/** How often and how far back to sync. */
const syncConfigOf = Effect.fnUntraced(function*(args: Arguments) {
  const interval_minutes = yield* wholeNumberOf(args, "every", 1, 43_200)
  const days = args.value("days") === "all" ? null : yield* wholeNumberOf(args, "days", 1, 36_500)
  return {
    ...(interval_minutes !== undefined && { interval_minutes }),
    ...(days !== undefined && { start: days === null ? null : { type: "relative", days } })
  }
})

export const connect = Effect.fnUntraced(function*(args: Arguments) {
  const [name = "", place] = args.positionals
  const sync_config = yield* syncConfigOf(args)
  const { ask, client } = yield* workspaceClient(args)
  const providers = yield* ask(() => client.providers.list())
  const provider = providers.find((one) => one.provider === name)
  if (provider === undefined) {
    const known = columns(providers.map((one) => [`  ${one.provider}`, one.name]))
    return yield* calledWrongly(
      known === "" ? "This server offers no providers." : `There is no provider "${name}". There are\n\n${known}`
    )
  }
  const fields = fieldsOf(provider.config_schema)
  const config = yield* completed(yield* configOf(place, args.otherOptions, fields), fields)
  const wanted = {
    provider: name,
    name: args.value("name") ?? provider.name,
    config,
    sync_config
  }
  // The service validates what JSON Schema cannot express, and reports problems by field.
  const connection = yield* ask(() =>
    client.connections.create(wanted as Parameters<typeof client.connections.create>[0])
  )
  if (args.has("detach")) {
    return {
      json: connection,
      text: `Connection ${connection.connection_id}. It is synced from now on.`
    }
  }
  const states = yield* ask(() => followSync(client, connection.connection_id))
  return reportOf(connection, connection.connection_id, states)
}, Effect.scoped)
