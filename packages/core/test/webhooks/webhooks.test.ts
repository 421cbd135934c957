/** Events on their way to a receiver that takes them, with time in the test's hands. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DAY } from "../../src/model/Day.ts"
import { AuditStore, EVERY_ENTRY } from "../../src/ports/AuditStore.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { ALL, answered, hooked, received, receivedBy, verified, withReceiver } from "../support/receiver.ts"
import { derivedId } from "../../src/webhooks/messages.ts"
import { settle, until } from "../support/connecting.ts"

describe("an event", () => {
  it.effect(
    "is sent once, as in the list of events, with a signature that the official library accepts, without any text",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, id, put, webhook } = yield* hooked(ALL)
      yield* put("a", "The heron nests behind the mill.")
      yield* received(receiver, 1)
      yield* settle(5)
      assert.strictEqual(receiver.got.length, 1)
      const [got] = receiver.got
      assert.deepStrictEqual(verified(webhook.secret, got!), got!.event)
      assert.throws(() => verified(`whsec_${btoa("another secret of 32 characters.")}`, got!))
      const listed = yield* (yield* Documents).events(id, { source: null, kind: null }, { limit: 9, cursor: null })
      const [{ created_at, event_id, timestamp, type, ...fields }] = listed.items as [typeof listed.items[0]]
      assert.strictEqual(got!.id, event_id)
      assert.deepStrictEqual(got!.event, {
        type,
        timestamp: created_at.toISOString(),
        data: {
          workspace_id: id,
          event_id,
          ...fields,
          timestamp: timestamp.toISOString(),
          created_at: created_at.toISOString()
        }
      })
      assert.notInclude(got!.body, "heron")
      const [delivery] = yield* deliveries
      assert.deepInclude(delivery, {
        event_id,
        status: "succeeded",
        attempts: 1,
        next_attempt_at: null,
        body: got!.body
      })
      assert.deepInclude(delivery!.last_attempt, { status: 204, response: "status 204", error: null })
    }))
  )

  it.effect(
    "is sent if the webhook wants it and it is newer than the webhook",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put, webhooks, workspace } = yield* hooked(["document.deleted"])
      yield* put("a", "one")
      yield* put("b", "two")
      const url = "https://example.com/second"
      yield* webhooks.create(workspace, { url, event_types: ["document.created"] }, OPERATOR)
      yield* put("c", "three")
      const documents = yield* Documents
      const [event] = yield* documents.latestEvents(id, 1)
      yield* documents.delete(workspace, event!.document_id, OPERATOR)
      yield* received(receiver, 2)
      yield* settle(5)
      assert.deepStrictEqual(
        receiver.got.map(({ event, url }) => [event.type, event.data["external_id"], url]).sort(),
        [["document.created", "c", url], ["document.deleted", "c", "https://example.com/hook"]]
      )
    }))
  )

  it.effect(
    "waits for earlier ones about the same document only",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { put } = yield* hooked(ALL)
      let failures = 2
      receiver.answer = ({ event: { data } }) => answered(data["external_id"] === "a" && failures-- > 0 ? 500 : 200)
      yield* put("a", "one")
      yield* put("a", "two")
      yield* put("b", "one")
      yield* put("b", "two")
      yield* received(receiver, 6)
      yield* settle(5)
      const of = (name: string) => receivedBy(receiver).filter((line) => line.endsWith(name))
      assert.deepStrictEqual(of("b"), ["document.created b", "document.updated b"])
      assert.deepStrictEqual(of("a"), [...Array(3).fill("document.created a"), "document.updated a"])
      assert.strictEqual(new Set(receiver.got.map(({ id }) => id)).size, 4)
      assert.isBelow(
        receivedBy(receiver).indexOf("document.updated b"),
        receivedBy(receiver).lastIndexOf("document.created a")
      )
    }))
  )

  it.effect(
    "is sent in order for every one of many documents",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { put } = yield* hooked(ALL)
      const names = Array.from({ length: 40 }, (_, at) => `document-${at}`)
      for (const text of ["one", "two", "three"]) {
        yield* Effect.forEach(names, (name) => put(name, text))
      }
      yield* received(receiver, 120)
      for (const name of names) {
        assert.deepStrictEqual(
          receivedBy(receiver).filter((line) => line.endsWith(` ${name}`)).map((line) => line.split(" ")[0]),
          ["document.created", "document.updated", "document.updated"]
        )
      }
    }))
  )
})

describe("a webhook", () => {
  it.effect(
    "signs with the new and the previous secret for a day",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { put, webhook, webhooks, workspace } = yield* hooked(ALL)
      const own = `whsec_${btoa("a secret of my own, 32 characters")}`
      const rotated = yield* webhooks.rotateSecret(workspace, webhook.webhook_id, own, OPERATOR)
      assert.strictEqual(rotated.secret, own)
      const until = rotated.previous_secret_expires_at!
      assert.strictEqual(until.getTime() - (yield* Clock.currentTimeMillis), DAY)
      yield* put("a", "one")
      yield* received(receiver, 1)
      const [during] = receiver.got
      assert.deepStrictEqual(verified(own, during!), during!.event)
      assert.deepStrictEqual(verified(webhook.secret, during!), during!.event)
      const over = { previous_secret_expires_at: new Date(yield* Clock.currentTimeMillis) }
      yield* (yield* WebhookStore).update(workspace.workspace_id, webhook.webhook_id, over, null)
      yield* put("b", "one")
      yield* received(receiver, 2)
      const after = receiver.got[1]!
      assert.deepStrictEqual(verified(own, after), after.event)
      assert.throws(() => verified(webhook.secret, after))
    }))
  )

  it.effect(
    "shows a secret once, at creation, and stores it encrypted",
    withReceiver(Effect.fnUntraced(function*() {
      const { find, id, webhook, webhooks, workspace } = yield* hooked(ALL)
      const rotated = yield* webhooks.rotateSecret(workspace, webhook.webhook_id, null, OPERATOR)
      assert.notStrictEqual(rotated.secret, webhook.secret)
      const stored = yield* (yield* WebhookStore).find(id, webhook.webhook_id)
      const kept = JSON.stringify([stored, yield* find, yield* webhooks.list(id)])
      for (const { secret } of [webhook, rotated]) assert.notInclude(kept, secret.replace("whsec_", ""))
    }))
  )

  it.effect(
    "sends a test event, and any event again with the same id",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, webhook, webhooks } = yield* hooked(["ask.failed"])
      const queued = yield* webhooks.test(id, webhook.webhook_id)
      assert.deepInclude(queued, { event_type: "webhook.test", status: "pending", attempts: 0 })
      yield* received(receiver, 1)
      assert.strictEqual(receiver.got[0]!.event.type, "webhook.test")
      yield* until(
        Effect.map(
          webhooks.findDelivery(id, webhook.webhook_id, queued.event_id),
          ({ status }) => status === "succeeded"
        )
      )
      yield* webhooks.resend(id, webhook.webhook_id, queued.event_id)
      yield* received(receiver, 2)
      assert.deepStrictEqual(receiver.got.map((got) => got.id), [queued.event_id, queued.event_id])
    }))
  )

  it.effect(
    "sends an event on request at once, even to a failing receiver",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, id, put, webhook, webhooks } = yield* hooked(ALL)
      receiver.answer = () => answered(receiver.got.length === 1 ? 429 : 200, 7_200)
      yield* put("a", "one")
      yield* received(receiver, 1)
      yield* until(Effect.map(find, ({ failing_since }) => failing_since !== null))
      yield* webhooks.resend(id, webhook.webhook_id, receiver.got[0]!.id)
      // This lets minutes pass, and the receiver asked for hours.
      yield* received(receiver, 2)
      assert.deepStrictEqual(receivedBy(receiver), ["document.created a", "document.created a"])
    }))
  )

  it.effect(
    "is sent after hundreds of others to a slow receiver, without a pause in between",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { send } = receiver
      Object.assign(receiver, {
        send: (request: Parameters<typeof send>[0]) => Effect.delay(send(request), "1 second")
      })
      const { put } = yield* hooked(ALL)
      for (let at = 0; at < 300; at++) yield* put(`${at}`, "one of many")
      yield* settle(60)
      assert.lengthOf(receiver.got, 300)
    }))
  )

  it.effect(
    "does not wait for slow receivers of others to be through with all of their events",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { send } = receiver
      Object.assign(receiver, {
        send: (request: Parameters<typeof send>[0]) =>
          request.url.includes("slow") ? Effect.delay(send(request), "9 seconds") : send(request)
      })
      const { put, webhook, webhooks, workspace } = yield* hooked(ALL)
      yield* webhooks.update(workspace, webhook.webhook_id, { url: "https://example.com/slow" }, OPERATOR)
      for (let more = 1; more < 16; more++) {
        yield* webhooks.create(workspace, { url: `https://example.com/slow/${more}`, event_types: ALL }, OPERATOR)
      }
      for (let at = 0; at < 200; at++) yield* put(`slow ${at}`, "one of many")
      yield* settle(10)
      const other = yield* hooked(ALL)
      yield* other.put("quick", "the only one")
      yield* settle(40)
      const quick = receiver.got.filter(({ url }) => url === "https://example.com/hook")
      assert.deepStrictEqual(quick.map(({ event }) => event.data["external_id"]), ["quick"])
      assert.isBelow(receiver.got.length, 16 * 200)
    }))
  )

  it.effect(
    "is refused at a forbidden address, and beyond 20",
    withReceiver(Effect.fnUntraced(function*() {
      const { webhook, webhooks, workspace } = yield* hooked(ALL)
      const create = (url: string) => webhooks.create(workspace, { url, event_types: ALL }, OPERATOR)
      const refusal = yield* Effect.flip(create("https://private.example/"))
      assert.deepInclude(refusal, { _tag: "bad_request", message: "private.example is a private address." })
      const change = webhooks.update(workspace, webhook.webhook_id, { url: "https://private.example/" }, OPERATOR)
      assert.strictEqual((yield* Effect.flip(change))._tag, "bad_request")
      for (let more = 1; more < 20; more++) yield* create(`https://example.com/${more}`)
      assert.strictEqual((yield* Effect.flip(create("https://example.com/21")))._tag, "unprocessable_entity")
    }))
  )

  it.effect(
    "is isolated from other workspaces and their events",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const [home, stranger] = [yield* hooked(ALL), yield* hooked(ALL)]
      yield* home.put("a", "one")
      yield* received(receiver, 1)
      yield* settle(5)
      assert.strictEqual(receiver.got.length, 1)
      assert.strictEqual(receiver.got[0]!.event.data["workspace_id"], home.id)
      const { webhooks, workspace } = stranger
      const { webhook_id } = home.webhook
      const event = receiver.got[0]!.id
      const attempts = [
        webhooks.find(stranger.id, webhook_id),
        webhooks.update(workspace, webhook_id, { url: "https://stolen.example/" }, OPERATOR),
        webhooks.rotateSecret(workspace, webhook_id, null, OPERATOR),
        webhooks.test(stranger.id, webhook_id),
        webhooks.deliveries(stranger.id, webhook_id, null, { limit: 9, cursor: null }),
        webhooks.findDelivery(stranger.id, webhook_id, event),
        webhooks.findDelivery(stranger.id, stranger.webhook.webhook_id, event),
        webhooks.resend(stranger.id, webhook_id, event),
        webhooks.delete(workspace, webhook_id, OPERATOR)
      ]
      for (const attempt of attempts) {
        const failure = yield* Effect.flip(Effect.asVoid<unknown, { readonly _tag: string }, never>(attempt))
        assert.strictEqual(failure._tag, "webhook_not_found")
      }
      assert.isTrue(Option.isSome(yield* Effect.option(home.find)))
    }))
  )
})

it.effect(
  "a webhook that is changed in nothing is not noted in the audit log",
  withReceiver(Effect.fnUntraced(function*() {
    const { id, webhook, webhooks, workspace } = yield* hooked(ALL)
    const before = yield* webhooks.find(id, webhook.webhook_id)
    for (const patch of [{}, { url: null, event_types: null, status: null }]) {
      assert.deepStrictEqual(yield* webhooks.update(workspace, webhook.webhook_id, patch, OPERATOR), before)
    }
    yield* webhooks.update(workspace, webhook.webhook_id, { status: "active" }, OPERATOR)
    const entries = yield* (yield* AuditStore).list(workspace.account_id!, {
      workspaceId: id,
      selection: EVERY_ENTRY,
      after: null,
      limit: 10
    })
    assert.deepStrictEqual(
      entries.map(({ action }) => action).filter((action) => action.startsWith("webhook")),
      ["webhook.changed", "webhook.created"]
    )
    const unknown = yield* Effect.flip(webhooks.update(workspace, crypto.randomUUID(), {}, OPERATOR))
    assert.strictEqual(unknown._tag, "webhook_not_found")
  }))
)

it.effect(
  "a page of deliveries has at most four million characters, and the next one continues there",
  withReceiver(Effect.fnUntraced(function*() {
    const { id, webhook: { webhook_id }, webhooks } = yield* hooked(ALL)
    const messages = Array.from({ length: 50 }, (_, at) => ({
      event_id: derivedId(String(at)),
      event_type: "document.created" as const,
      subject: String(at),
      body: `"${"long".repeat(25_000)}"`,
      created_at: new Date(at)
    }))
    yield* (yield* WebhookStore).append(id, webhook_id, messages, null, 100)
    const page = (cursor: string | null) => webhooks.deliveries(id, webhook_id, null, { limit: 100, cursor })
    const first = yield* page(null)
    assert.lengthOf(first.items, 39)
    const second = yield* page(first.next)
    assert.lengthOf(second.items, 11)
    assert.isNull(second.next)
  }))
)
