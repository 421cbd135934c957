/** `tributary status`: the state of a workspace's context, and the usage of its plan. */
import type { Meter } from "@tributary/core/model/Usage"
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { workspaceClient } from "../transport/clients.ts"
import { columns, count, counted, moment, plain } from "../cli/printing.ts"

const PER_CENT = 100

const used = ({ fraction_used, limit, used }: Meter, unit: (amount: number) => string): string =>
  limit === undefined
    ? `${unit(used)}, uncapped`
    : `${unit(used)} of ${unit(limit)} (${Math.round(fraction_used * PER_CENT)} %)`

const bytes = (amount: number): string => {
  const [unit, size] = amount < 1_000_000 ? ["kB", 1_000] as const : ["MB", 1_000_000] as const
  return `${(amount / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`
}

export const status = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, client } = yield* workspaceClient(args)
  const knowledge = yield* ask(() => client.knowledge.status())
  const usage = yield* ask(() => client.usage())
  const { entitlements: { documents, storage, tier }, rate_limits, workspace_id } = usage
  const { error, latest_built_at, pending_documents, progress, state, up_to_date } = knowledge
  const limits = Object.entries(rate_limits).map(([operation, { limit, remaining, reset, window_seconds }]) => [
    `${operation} limit`,
    `${remaining} of ${limit} left in this window of ${window_seconds} s, which ends in ${reset} s`
  ])
  return {
    json: { workspace_id, knowledge, usage },
    text: columns([
      ["workspace", workspace_id],
      ["context", `${state}${progress === null ? "" : ` (${progress.done} of ${progress.total})`}`],
      ["up to date", up_to_date ? "yes" : "no"],
      ["built at", moment(latest_built_at)],
      ["pending", counted(pending_documents, "document")],
      ...error === null ? [] : [["error", plain(error)]],
      ["plan", tier],
      ["documents", used(documents, count)],
      ["storage", used(storage, bytes)],
      ...limits
    ])
  }
}, Effect.scoped)
