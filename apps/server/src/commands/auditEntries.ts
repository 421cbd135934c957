/** `tributary audit entries`: the audit log of a workspace or an account, one line of JSON per entry. */
import type { AuditFilter } from "@tributary/client"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Given } from "../command/Command.ts"
import { workspace } from "../transport/connect.ts"
import { timeOf } from "./optionValues.ts"

const filterOf = Effect.fnUntraced(function*(given: Given) {
  const filter = {
    action: given.has("action") ? given.values("action").join() : undefined,
    actor: given.value("actor"),
    subject: given.value("subject"),
    from: yield* timeOf(given, "from"),
    to: yield* timeOf(given, "to"),
    q: given.words.length > 0 ? given.words.join(" ") : undefined
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) satisfies AuditFilter
})

export const entries = Effect.fnUntraced(function*(given: Given) {
  const filter = yield* filterOf(given)
  const { client, list } = yield* workspace(given)
  const log = list(client.auditLog({ ...filter, export: true }, { limit: 100 }))
  return yield* Stream.runForEach(log, (entry) => Console.log(JSON.stringify(entry)))
}, Effect.scoped)
