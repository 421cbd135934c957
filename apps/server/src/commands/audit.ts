/** `tributary audit`: the log of what operators did, and the audit log of a workspace or an account. */
import type { AuditFilter } from "@tributary/client"
import { OperatorLogEntry } from "@tributary/core/model/OperatorLogEntry"
import { chainProblem } from "@tributary/core/operatorChain"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { type OperatorClient, operatorClient, workspaceClient } from "../transport/clients.ts"
import { following } from "./following.ts"
import { timeOf } from "./optionValues.ts"

const encode = Schema.encodeSync(OperatorLogEntry)

/** All entries after one, in pages, oldest first. */
const entriesAfter = ({ client, list }: OperatorClient, after: number) => list(client.auditLog({ after, limit: 100 }))

/** The number of the last entry that is not shown. */
const afterOf = Effect.fnUntraced(function*(args: Arguments) {
  const text = args.value("after") ?? "0"
  if (!/^[0-9]{1,15}$/.test(text)) return yield* calledWrongly(`--after: "${text}" is no entry's number.`)
  return Number(text)
})

export const verify = Effect.fnUntraced(function*(args: Arguments) {
  const known = args.value("contains")
  if (known !== undefined && !/^[0-9a-f]{64}$/.test(known)) {
    return yield* calledWrongly(`--contains: "${known}" is no hash of an entry, which has 64 digits from 0 to f.`)
  }
  const found = { previous: undefined as OperatorLogEntry | undefined, known: known === undefined }
  yield* Stream.runForEach(entriesAfter(yield* operatorClient(args), 0), (entry) => {
    const problem = chainProblem(found.previous, entry)
    found.previous = entry
    if (entry.hash === known) found.known = true
    return problem === null ? Effect.void : Effect.fail(failed(problem))
  })
  if (!found.known) return yield* failed(`No entry has the hash ${known}: the log was cut off or replaced.`)
  const { hash = null, sequence = 0 } = found.previous ?? {}
  return {
    json: { entries: sequence, hash },
    text: hash === null ? "The log is empty." : `${sequence} entries, each follows the one before. The last is ${hash}.`
  }
}, Effect.scoped)

const write = (entry: OperatorLogEntry) => Console.log(JSON.stringify(encode(entry)))

export const exportLines = Effect.fnUntraced(function*(args: Arguments) {
  let last = yield* afterOf(args)
  const operator = yield* operatorClient(args)
  const round = Effect.suspend(() =>
    Stream.runForEach(entriesAfter(operator, last), (entry) => {
      last = entry.sequence
      return write(entry)
    })
  )
  yield* round
  if (args.has("follow")) return yield* following(round)
}, Effect.scoped)

const filterOf = Effect.fnUntraced(function*(args: Arguments) {
  const filter = {
    action: args.has("action") ? args.values("action").join() : undefined,
    actor: args.value("actor"),
    subject: args.value("subject"),
    from: yield* timeOf(args, "from"),
    to: yield* timeOf(args, "to"),
    q: args.positionals.length > 0 ? args.positionals.join(" ") : undefined
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) satisfies AuditFilter
})

export const entries = Effect.fnUntraced(function*(args: Arguments) {
  const filter = yield* filterOf(args)
  const { client, list } = yield* workspaceClient(args)
  const log = list(client.auditLog({ ...filter, export: true }, { limit: 100 }))
  return yield* Stream.runForEach(log, (entry) => Console.log(JSON.stringify(entry)))
}, Effect.scoped)
