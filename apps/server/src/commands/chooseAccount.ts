/** The account that a command is about: the one that is named, or the only one. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly } from "../UsageError.ts"
import type { OperatorClient } from "../transport/clients.ts"

export const allWorkspaces = ({ ask, client }: OperatorClient) =>
  ask(() => client.workspaces.list({ limit: 100 }).toArray())

/** Null if there is no account yet. `otherwise`: what else the caller can do if there are several. */
export const chooseAccount = Effect.fnUntraced(function*(args: Arguments, operator: OperatorClient, otherwise: string) {
  const named = args.value("account")
  if (named !== undefined) return named
  const accounts = new Set((yield* allWorkspaces(operator)).map(({ account_id }) => account_id))
  if (accounts.size > 1) {
    const ids = Array.from(accounts, (id) => `\n  ${id}`).join("")
    return yield* calledWrongly(`There are several accounts; choose one with --account ID, or ${otherwise}:${ids}`)
  }
  return [...accounts][0] ?? null
})
