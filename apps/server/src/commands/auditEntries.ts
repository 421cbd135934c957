/** `tributary audit entries`: the audit log of a workspace or an account, one line of JSON per entry. */
import type { AuditFilter } from "@tributary/client"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Arguments } from "../command/Command.ts"
import { workspace } from "../transport/connect.ts"
import { timeOf } from "./optionValues.ts"

const filterOf = Effect.fnUntraced(function*(args: Arguments) {
  const filter = {
    action: args.has("action") ? args.values("action").join() : undefined,
    actor: args.value("actor"),
    subject: args.value("subject"),
    from: yield* timeOf(args, "from"),
    to: yield* timeOf(args, "to"),
    q: args.words.length > 0 ? args.words.join(" ") : undefined
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) satisfies AuditFilter
})

export const entries = Effect.fnUntraced(function*(args: Arguments) {
  const filter = yield* filterOf(args)
  const { client, list } = yield* workspace(args)
  const log = list(client.auditLog({ ...filter, export: true }, { limit: 100 }))
  return yield* Stream.runForEach(log, (entry) => Console.log(JSON.stringify(entry)))
}, Effect.scoped)
