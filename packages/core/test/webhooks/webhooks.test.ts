/** Events on their way to a receiver that takes them, breaks, and goes, with time in the test's hands. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { EventId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DAY } from "../../src/model/Day.ts"
import { AuditLog } from "../../src/people/AuditLog.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { Documents } from "../../src/ingest/Documents.ts"
import { answered, hooked, received, type Receiver, verified, withReceiver } from "../support/receiver.ts"
import { leap, settle, until } from "../support/connecting.ts"

const ALL = ["document.created", "document.updated", "document.deleted"] as const

/** The type and document of each event, in the order in which they were sent. */
const receivedBy = ({ got }: Receiver) =>
  got.map(({ event: { data, type } }) => `${type} ${String(data["external_id"])}`)

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
      yield* documents.delete(id, event!.document_id)
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

describe("a receiver that fails", () => {
  it.effect(
    "is retried with increasing delays",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, put } = yield* hooked(ALL)
      receiver.answer = () => answered(500)
      yield* put("a", "one")
      const delays: Array<number> = []
      for (const attempts of [1, 2, 3, 4]) {
        yield* until(Effect.map(deliveries, ([delivery]) => delivery?.attempts === attempts))
        const { last_attempt, next_attempt_at } = (yield* deliveries)[0]!
        delays.push(next_attempt_at!.getTime() - last_attempt!.at.getTime() - last_attempt!.duration_ms)
      }
      assert.isAtLeast(delays[0]!, 22_000)
      for (const [index, pause] of delays.slice(1).entries()) assert.isAbove(pause, delays[index]!)
      const [delivery] = yield* deliveries
      assert.deepInclude(delivery, { status: "pending", attempts: receiver.got.length })
      assert.deepInclude(delivery!.last_attempt, { status: 500, error: "The receiver answered with status 500." })
      assert.isNotNull(delivery!.next_attempt_at)
    }))
  )

  it.effect(
    "has what happens during its pause among the pending ones, also if it is much",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, find, put } = yield* hooked(ALL)
      receiver.answer = () => answered(500, 7_200)
      yield* put("a", "one")
      yield* until(Effect.map(find, ({ error }) => error !== null))
      const names = Array.from({ length: 250 }, (_, at) => `during-${at}`)
      yield* Effect.forEach(names, (name) => put(name, "one"))
      yield* settle(5)
      assert.strictEqual(receiver.got.length, 1)
      assert.deepStrictEqual(
        (yield* deliveries).map(({ body, status }) => [JSON.parse(body).data.external_id, status]),
        names.toReversed().slice(0, 100).map((name) => [name, "pending"])
      )
    }))
  )

  it.effect(
    "is given up if it is older than 3 days and was sent for an hour, and then the pending ones follow",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, find, id, put, webhook } = yield* hooked(ALL)
      receiver.answer = ({ body }) => answered(body === "\"old\"" ? 500 : 200)
      const message = (body: string, created_at: Date) => ({
        event_id: EventId.make(crypto.randomUUID()),
        event_type: "document.created" as const,
        subject: "poison",
        body,
        created_at
      })
      const [old, next] = [message("\"old\"", new Date(-3 * DAY)), message("\"next\"", new Date(0))]
      yield* (yield* WebhookStore).append(id, webhook.webhook_id, [old, next], null, 10)
      yield* put("good", "one")
      yield* received(receiver, 2)
      for (let minutes = 0; minutes < 120; minutes += 2) yield* leap("2 minutes")
      yield* settle(5)
      assert.deepStrictEqual(
        (yield* deliveries).map(({ attempts, body, status }) => [body.slice(0, 6), status, attempts]),
        [["{\"type", "succeeded", 1], ["\"next\"", "succeeded", 1], ["\"old\"", "failed", 8]]
      )
      assert.deepInclude(yield* find, { status: "active" })
    }))
  )

  it.effect(
    "is retried although it happened days before its webhook was switched on again",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, put, webhook, webhooks, workspace } = yield* hooked(ALL)
      const switched = (status: "active" | "disabled") =>
        webhooks.update(workspace, webhook.webhook_id, { status }, OPERATOR)
      yield* switched("disabled")
      yield* put("a", "one")
      yield* leap("4 days")
      receiver.answer = () => answered(receiver.got.length === 1 ? 503 : 200)
      yield* switched("active")
      yield* received(receiver, 2)
      yield* settle(5)
      assert.deepStrictEqual(receivedBy(receiver), ["document.created a", "document.created a"])
      assert.deepStrictEqual((yield* deliveries).map(({ status }) => status), ["succeeded"])
    }))
  )

  it.effect(
    "gets no request before its Retry-After",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, put } = yield* hooked(ALL)
      receiver.answer = () => answered(receiver.got.length === 1 ? 429 : 200, 7_200)
      yield* put("a", "one")
      yield* received(receiver, 1)
      yield* put("b", "one")
      yield* leap("119 minutes")
      assert.strictEqual(receiver.got.length, 1)
      const failing = yield* find
      assert.deepInclude(failing, { status: "active", error: "The receiver answered with status 429." })
      assert.isNotNull(failing.failing_since)
      yield* TestClock.adjust("20 minutes")
      yield* settle(5)
      assert.deepStrictEqual(receivedBy(receiver).slice(1).sort(), ["document.created a", "document.created b"])
      assert.deepInclude(yield* find, { error: null, failing_since: null })
    }))
  )

  it.effect(
    "is switched off at once after a 410, with an entry in the audit log, and resumes with the event that got it",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, find, put, webhook, webhooks, workspace } = yield* hooked(ALL)
      receiver.answer = () => answered(410)
      yield* put("a", "one")
      yield* received(receiver, 1)
      yield* until(Effect.map(find, ({ status }) => status === "disabled"))
      yield* put("b", "one")
      yield* leap("2 hours")
      assert.strictEqual(receiver.got.length, 1)
      const reason = "Switched off: The receiver answered with status 410: it wants no more events."
      assert.deepInclude(yield* find, { status: "disabled", error: reason })
      assert.deepInclude((yield* deliveries)[0], { status: "pending", attempts: 1 })
      const { items: [entry] } = yield* (yield* AuditLog).list(workspace, {}, { limit: 1, cursor: null })
      assert.deepInclude(entry, { action: "webhook.switched_off", subject: webhook.webhook_id })
      assert.deepStrictEqual(entry!.details, { url: webhook.url, reason })
      receiver.answer = () => answered(200)
      yield* webhooks.update(workspace, webhook.webhook_id, { status: "active" }, OPERATOR)
      yield* leap("1 minute")
      yield* received(receiver, 3)
      assert.deepStrictEqual(receivedBy(receiver).slice(1).sort(), ["document.created a", "document.created b"])
    }))
  )

  it.effect(
    "is switched off after 3 days without success, and resumes where it stopped once it is active",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, id, put, webhook, webhooks, workspace } = yield* hooked(ALL)
      receiver.answer = () => "unreachable"
      yield* put("a", "one")
      yield* received(receiver, 1)
      yield* until(Effect.map(find, ({ failing_since }) => failing_since !== null))
      assert.deepInclude(yield* find, { status: "active", error: "The receiver cannot be reached." })
      yield* put("b", "one")
      const store = yield* WebhookStore
      yield* store.update(id, webhook.webhook_id, { failing_since: new Date(-3 * DAY) }, null)
      yield* until(Effect.map(find, ({ status }) => status === "disabled"))
      assert.deepInclude(yield* find, {
        status: "disabled",
        error: "Switched off: it has accepted no event for 3 days. The receiver cannot be reached."
      })
      const sent = receiver.got.length
      yield* put("c", "one")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(receiver.got.length, sent)
      assert.strictEqual((yield* Effect.flip(webhooks.test(id, webhook.webhook_id)))._tag, "bad_request")
      receiver.answer = () => answered(200)
      yield* webhooks.update(workspace, webhook.webhook_id, { status: "active" }, OPERATOR)
      yield* TestClock.adjust("5 minutes")
      const after = receivedBy(receiver).slice(sent)
      assert.deepStrictEqual(after.sort(), ["a", "b", "c"].map((name) => `document.created ${name}`))
      assert.deepInclude(yield* find, { status: "active", error: null, failing_since: null })
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
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(receivedBy(receiver), ["document.created a", "document.created a"])
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
