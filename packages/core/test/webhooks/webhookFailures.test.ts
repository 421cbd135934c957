/** Events for a receiver that fails: when they are sent again, and when its webhook is switched off. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { EventId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DAY } from "../../src/model/Day.ts"
import { AuditLog } from "../../src/people/AuditLog.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { ALL, answered, hooked, node, received, receivedBy, withReceiver } from "../support/receiver.ts"
import { leap, settle, until } from "../support/connecting.ts"

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

  it.effect.each(
    [
      [300, "The receiver answered with a redirect (status 300), which is not followed."],
      [308, "The receiver answered with a redirect (status 308), which is not followed."],
      [404, "The receiver answered with status 404."]
    ] as const
  )(
    "has not accepted an event with the status %i",
    ([status, error]) =>
      withReceiver(Effect.fnUntraced(function*(receiver) {
        const { deliveries, put } = yield* hooked(ALL)
        receiver.answer = () => answered(status)
        yield* put("a", "one")
        yield* until(Effect.map(deliveries, ([delivery]) => delivery?.attempts === 1))
        const [delivery] = yield* deliveries
        assert.deepInclude(delivery, { status: "pending" })
        assert.deepInclude(delivery!.last_attempt, { status, error })
      }))()
  )

  it.effect(
    "is left alone for at most 5 minutes, or for as long as it asks, up to a day",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put, webhook } = yield* hooked(ALL)
      const pauseAfter = Effect.fnUntraced(function*(attempts: number) {
        const before = receiver.got.length
        for (let at = 0; at < 50 && receiver.got.length < before + attempts; at++) {
          yield* leap("1 hour")
          yield* settle(2)
        }
        const { paused_until } = Option.getOrThrow(yield* (yield* WebhookStore).find(id, webhook.webhook_id))
        return paused_until!.getTime() - receiver.got.at(-1)!.at
      })
      receiver.answer = () => answered(500)
      yield* put("a", "one")
      assert.strictEqual(yield* pauseAfter(8), 300_000)
      receiver.answer = () => answered(503, 1_000_000)
      assert.strictEqual(yield* pauseAfter(1), DAY)
    }))
  )

  it.effect(
    "gets what has waited after the clock was set back by a year",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, put } = yield* hooked(ALL)
      receiver.answer = () => answered(500, 7_200)
      yield* put("a", "one")
      yield* until(Effect.map(find, ({ error }) => error !== null))
      receiver.answer = () => answered(200)
      yield* TestClock.adjust("-365 days")
      // What sleeps in the first server would wake in a year.
      yield* Layer.build(node(receiver))
      yield* put("b", "one")
      yield* received(receiver, 3)
      assert.sameMembers(receivedBy(receiver).slice(1), ["document.created a", "document.created b"])
    }, Effect.scoped))
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
    "gets what has waited as soon as its address is another one",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, put, webhook, webhooks, workspace } = yield* hooked(ALL)
      receiver.answer = ({ url }) => url.endsWith("/hook") ? answered(500, 7_200) : answered(200)
      yield* put("a", "one")
      yield* until(Effect.map(find, ({ error }) => error !== null))
      yield* put("b", "one")
      yield* settle(5)
      const url = "https://example.com/other"
      yield* webhooks.update(workspace, webhook.webhook_id, { url }, OPERATOR)
      yield* settle(5)
      assert.deepStrictEqual(
        receiver.got.slice(1).map(({ event: { data }, url }) => [data["external_id"], url]),
        [["b", url]]
      )
    }))
  )

  it.effect(
    "has at most 1,000 events waiting; later ones wait in their log until it takes some",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put, webhook } = yield* hooked(ALL)
      receiver.answer = () => answered(500, 7_200)
      yield* Effect.forEach(Array.from({ length: 1_200 }, (_, at) => `${at}`), (name) => put(name, "one"))
      yield* settle(5)
      const store = yield* WebhookStore
      assert.strictEqual((yield* store.backlog(id, webhook.webhook_id, 2_000)).pending, 1_000)
      receiver.got.length = 0
      receiver.answer = () => answered(200)
      yield* leap("3 hours")
      yield* received(receiver, 1_200)
      assert.lengthOf(new Set(receivedBy(receiver)), 1_200)
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
      const areOver = Effect.map(deliveries, (all) => all.every(({ status }) => status !== "pending"))
      yield* Effect.repeat(Effect.andThen(leap("2 minutes"), areOver), { until: (over) => over, times: 500 })
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
    "is not switched off by the answer of its former address",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { find, put, webhook, webhooks, workspace } = yield* hooked(ALL)
      const url = "https://example.com/new"
      const send = receiver.send
      Object.assign(receiver, {
        send: (request: Parameters<typeof send>[0]) =>
          receiver.got.length > 0 ? send(request) : send(request).pipe(
            Effect.tap(() => webhooks.update(workspace, webhook.webhook_id, { url }, OPERATOR)),
            Effect.as(answered(410)),
            Effect.orDie
          )
      })
      yield* put("a", "one")
      yield* received(receiver, 2)
      yield* settle(5)
      assert.deepStrictEqual(receiver.got.map((got) => got.url), ["https://example.com/hook", url])
      assert.deepInclude(yield* find, { status: "active", url, error: null })
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
      assert.deepInclude(yield* webhooks.update(workspace, webhook.webhook_id, { status: "active" }, OPERATOR), {
        status: "active",
        error: null,
        failing_since: null
      })
      yield* TestClock.adjust("5 minutes")
      const after = receivedBy(receiver).slice(sent)
      assert.deepStrictEqual(after.sort(), ["a", "b", "c"].map((name) => `document.created ${name}`))
      assert.deepInclude(yield* find, { status: "active", error: null, failing_since: null })
    }))
  )
})
