/** `tributary events`: events of documents, or of every kind that a webhook takes, one per line. */
import type { Event, LiveEvent, WebhookDelivery } from "@tributary/client"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly } from "../UsageError.ts"
import { type WorkspaceClient, workspaceClient } from "../transport/clients.ts"
import { following } from "./following.ts"
import { moment, onOneLine } from "../cli/printing.ts"

const line = (at: Date, type: string, ...facts: ReadonlyArray<string>): string =>
  [moment(at), type.padEnd("document.created".length), ...facts.map(onOneLine)].join("  ")

const lineOf = ({ created_at, external_id, source, type }: Event): string => line(created_at, type, source, external_id)

const Message = Schema.fromJsonString(Schema.Struct({ data: Schema.Record(Schema.String, Schema.Unknown) }))

/** A change of a document as in the list of events, and anything else with its facts as `name=value`. */
const deliveryLineOf = ({ body, created_at, event_type }: WebhookDelivery): string => {
  const { workspace_id: _, ...facts } = Schema.decodeSync(Message)(body).data
  const shown = event_type.startsWith("document.")
    ? [facts["source"], facts["external_id"]]
    : [
      Object.entries(facts).map(([name, value]) =>
        `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
      ).join(" ")
    ]
  return line(created_at, event_type, ...shown.map(String))
}

const queryOf = (args: Arguments) => {
  const [source, kind] = [args.value("source"), args.value("kind")]
  return { ...(source === undefined ? {} : { source }), ...(kind === undefined ? {} : { kind }) }
}

/** What is listed, and followed from after an entry's id. */
interface Feed<A, B> {
  readonly list: () => AsyncIterable<A>
  readonly live: (from: { readonly after?: string }) => AsyncIterable<B>
  readonly idOf: (entry: B) => string
  readonly print: (entry: A | B) => Effect.Effect<void>
}

const documentEvents = ({ client }: WorkspaceClient, args: Arguments): Feed<Event, LiveEvent> => ({
  list: () => client.events.list(queryOf(args)),
  live: (from) => client.events.live(queryOf(args), from),
  idOf: ({ id }) => id,
  print: (entry) => {
    const event = "event" in entry ? entry.event : entry
    return Console.log(args.has("json") ? JSON.stringify(event) : lineOf(event))
  }
})

/** Webhooks alone have a log of what is not a change of a document. */
const deliveries = (
  { client }: WorkspaceClient,
  args: Arguments,
  webhookId: string
): Feed<WebhookDelivery, WebhookDelivery> => ({
  list: async function*() {
    yield* (await client.webhooks.deliveries(webhookId, {}, { limit: 100 }).toArray()).reverse()
  },
  live: (from) => client.webhooks.live(webhookId, from),
  idOf: ({ event_id }) => event_id,
  print: (delivery) => Console.log(args.has("json") ? delivery.body : deliveryLineOf(delivery))
})

const run = <A, B>({ idOf, list, live, print }: Feed<A, B>, workspace: WorkspaceClient, follows: boolean) => {
  if (!follows) return Stream.runForEach(workspace.list(list()), print)
  let last: string | undefined
  return following(
    Effect.suspend(() =>
      Stream.runForEach(workspace.list(live(last === undefined ? {} : { after: last })), (entry) => {
        last = idOf(entry)
        return print(entry)
      })
    )
  )
}

export const events = Effect.fnUntraced(function*(args: Arguments) {
  const workspace = yield* workspaceClient(args)
  const [webhook, follows] = [args.value("webhook"), args.has("follow")]
  if (webhook !== undefined && (args.has("source") || args.has("kind"))) {
    return yield* calledWrongly("--webhook shows what the webhook takes: --source and --kind do not narrow it.")
  }
  if (webhook !== undefined) return yield* run(deliveries(workspace, args, webhook), workspace, follows)
  if (follows && !workspace.streams) {
    return yield* calledWrongly("--follow needs a server's address: name it with --url and --key.")
  }
  return yield* run(documentEvents(workspace, args), workspace, follows)
}, Effect.scoped)
