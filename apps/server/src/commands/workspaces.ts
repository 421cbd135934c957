/** `tributary workspaces`: creating and listing workspaces, and putting them on another plan. */
import { Tier } from "@tributary/core/model/Plan"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly } from "../UsageError.ts"
import { operatorClient } from "../transport/clients.ts"
import { allWorkspaces, chooseAccount } from "./chooseAccount.ts"
import { columns, moment } from "../cli/printing.ts"

const isTier = Schema.is(Tier)

export const create = Effect.fnUntraced(function*(args: Arguments) {
  const [name = ""] = args.positionals
  const isNew = args.has("new-account")
  if (isNew && args.has("account")) return yield* calledWrongly("--account and --new-account exclude each other.")
  const operator = yield* operatorClient(args)
  const { ask, client } = operator
  const account = isNew ? null : yield* chooseAccount(args, operator, "make one with --new-account")
  if (account === null) {
    const made = yield* ask(() => client.accounts.create({ name }))
    const { personal_workspace: workspace } = made
    return {
      json: { ...workspace, account_id: made.account_id },
      text:
        `Workspace ${workspace.workspace_id}, personal, on plan ${workspace.tier}, of the new account ${made.account_id}.\n` +
        `The account is called "${name}", its personal workspace "${workspace.name}": its owner can rename it in the console.`
    }
  }
  const workspace = yield* ask(() => client.workspaces.create({ account_id: account, name }))
  return {
    json: { ...workspace, account_id: account },
    text: `Workspace ${workspace.workspace_id}, shared, on plan ${workspace.tier}, of account ${account}.`
  }
}, Effect.scoped)

export const list = Effect.fnUntraced(function*(args: Arguments) {
  const workspaces = yield* allWorkspaces(yield* operatorClient(args))
  const rows = workspaces.map(({ account_id, created_at, kind, name, suspended, tier, workspace_id }) => [
    workspace_id,
    kind,
    suspended ? `${tier}, suspended` : tier,
    moment(created_at),
    account_id,
    name
  ])
  return {
    json: { workspaces },
    text: columns([["WORKSPACE", "KIND", "PLAN", "CREATED", "ACCOUNT", "NAME"], ...rows])
  }
}, Effect.scoped)

export const setPlan = Effect.fnUntraced(function*(args: Arguments) {
  const [id = "", tier = ""] = args.positionals
  if (!isTier(tier)) return yield* calledWrongly(`There is no plan "${tier}". There are: ${Tier.literals.join(", ")}.`)
  const { ask, client } = yield* operatorClient(args)
  const workspace = yield* ask(() => client.workspaces.update(id, { tier }))
  return { json: workspace, text: `Workspace ${workspace.workspace_id} is on plan ${workspace.tier}.` }
}, Effect.scoped)
