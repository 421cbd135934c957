/** The contract of `WebhookStore`. */
import { assert } from "@effect/vitest"
import { EventId } from "@tributary/core/model/Id"
import type { DeliveryStatus } from "@tributary/core/model/Webhook"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import {
  fiftyTimes,
  freshSource,
  freshWorkspace,
  item,
  moment,
  newJob,
  newQueue,
  newUuid
} from "./internal/fixtures.ts"
import { type PeopleKit, RUNS } from "./internal/Kit.ts"
import { ATTEMPT, FOREVER, hooked, KEPT, newMessage, newWebhook } from "./internal/webhooks.ts"

const fresh = Effect.flatMap(freshWorkspace, hooked)

export const webhookStoreContract = (it: PeopleKit): void => {
  it.effect.prop(
    "returns a webhook and a delivery as they were stored",
    [anyText, anyText],
    ([one, two]) =>
      Effect.gen(function*() {
        const store = yield* WebhookStore
        const workspaceId = yield* freshWorkspace
        const webhook = newWebhook({
          url: one,
          error: two,
          failing_since: moment(1),
          paused_until: moment(2),
          previous_secret_expires_at: moment(3),
          failures: 7,
          noted: two
        })
        yield* store.insert(workspaceId, webhook, 10)
        assert.deepStrictEqual(yield* store.find(workspaceId, webhook.webhook_id), Option.some(webhook))
        const message = newMessage(one, { body: two })
        yield* store.append(workspaceId, webhook.webhook_id, [message], null, KEPT)
        const expected = {
          ...message,
          seq: 1,
          status: "pending" as const,
          attempts: 0,
          next_attempt_at: message.created_at,
          last_attempt: null
        }
        const found = store.findDelivery(workspaceId, webhook.webhook_id, message.event_id)
        assert.deepStrictEqual(yield* found, Option.some(expected))
        const last_attempt = { ...ATTEMPT, response: one, error: two }
        const result = { status: "pending" as const, next_attempt_at: moment(9), last_attempt }
        yield* store.record(workspaceId, webhook.webhook_id, 1, result)
        assert.deepStrictEqual(yield* found, Option.some({ ...expected, ...result, attempts: 1 }))
      }),
    RUNS
  )

  it.effect("lists webhooks newest first, and enforces the maximum, even concurrently", () =>
    Effect.gen(function*() {
      const store = yield* WebhookStore
      const workspaceId = yield* freshWorkspace
      const answers = yield* fiftyTimes(() => Effect.suspend(() => store.insert(workspaceId, newWebhook(), 3)))
      assert.strictEqual(answers.filter((answer) => answer === "inserted").length, 3)
      const ids = (yield* store.list(workspaceId)).map(({ webhook_id }) => webhook_id)
      assert.deepStrictEqual(ids, [...ids].sort().reverse())
      assert.strictEqual(ids.length, 3)
    }))

  it.effect("changes only the given fields, and only from the given status", () =>
    Effect.gen(function*() {
      const { id, store, workspaceId } = yield* fresh
      const off = { status: "disabled", error: "It is gone.", paused_until: moment(4) } as const
      const changed = Option.getOrThrow(yield* store.update(workspaceId, id, off, "active"))
      assert.deepInclude(changed, { ...off, url: "https://example.com/hook?a=1" })
      assert.isTrue(Option.isNone(yield* store.update(workspaceId, id, { url: "https://no.example" }, "active")))
      const types = ["sync.failed", "ask.failed"] as const
      yield* store.update(workspaceId, id, { event_types: types, error: null, paused_until: null, failures: 3 }, null)
      assert.deepStrictEqual(
        yield* store.find(workspaceId, id),
        Option.some({ ...changed, event_types: types, error: null, paused_until: null, failures: 3 })
      )
    }))

  it.effect("replaces only the expected encrypted secrets", () =>
    Effect.gen(function*() {
      const { id, store, workspaceId } = yield* fresh
      assert.isFalse(yield* store.reseal(workspaceId, id, "1.other", "2.stolen"))
      assert.isFalse(yield* store.reseal(yield* freshWorkspace, id, "1.abc.def", "2.stolen"))
      assert.isTrue(yield* store.reseal(workspaceId, id, "1.abc.def", "2.ghi"))
      assert.strictEqual(Option.getOrThrow(yield* store.find(workspaceId, id)).secrets, "2.ghi")
    }))

  it.effect("hides a webhook and its deliveries from every other workspace", () =>
    Effect.gen(function*() {
      const { all, append, id, isDue, store, workspaceId } = yield* fresh
      const message = newMessage("a")
      yield* append(message)
      const before = yield* all
      const { event_id } = message
      const stranger = yield* freshWorkspace
      assert.deepStrictEqual(yield* store.list(stranger), [])
      assert.isTrue(Option.isNone(yield* store.find(stranger, id)))
      assert.isTrue(Option.isNone(yield* store.update(stranger, id, { url: "https://stolen.example" }, null)))
      assert.isTrue(Option.isNone(yield* store.begin(stranger, id, FOREVER)))
      assert.isFalse(yield* store.append(stranger, id, [newMessage("b")], null, KEPT))
      assert.deepStrictEqual(yield* store.ready(stranger, id, FOREVER, 9), [])
      assert.deepStrictEqual(yield* store.backlog(stranger, id, 9), { pending: 0, next: null })
      assert.deepStrictEqual(yield* store.deliveries(stranger, id, { status: null, after: null, limit: 9 }), [])
      assert.isTrue(Option.isNone(yield* store.findDelivery(stranger, id, event_id)))
      assert.isTrue(Option.isNone(yield* store.resend(stranger, id, event_id, moment(7))))
      yield* store.record(stranger, id, 1, { status: "failed", next_attempt_at: null, last_attempt: ATTEMPT })
      assert.isFalse(yield* store.remove(stranger, id))
      assert.deepStrictEqual(yield* all, before)
      assert.deepInclude(Option.getOrThrow(yield* store.find(workspaceId, id)), { url: "https://example.com/hook?a=1" })
      assert.isTrue(yield* isDue(moment()))
    }))

  it.effect("is due when it is created, then at the given time, or earlier when woken", () =>
    Effect.gen(function*() {
      const { id, isDue, store, workspaceId } = yield* fresh
      assert.isTrue(yield* isDue(moment()))
      const begun = yield* store.begin(workspaceId, id, moment(60_000))
      assert.strictEqual(Option.getOrThrow(begun).webhook_id, id)
      assert.isFalse(yield* isDue(moment(59_999)))
      assert.isTrue(yield* isDue(moment(60_000)))
      yield* store.wake(workspaceId, id, moment(90_000))
      assert.isTrue(yield* isDue(moment(60_000)))
      yield* store.wake(workspaceId, id, moment(30_000))
      assert.isFalse(yield* isDue(moment(29_999)))
      assert.isTrue(yield* isDue(moment(30_000)))
      const workspaces = yield* WorkspaceStore
      yield* workspaces.update(workspaceId, { suspended: true })
      assert.isFalse(yield* isDue(moment(30_000)))
      yield* workspaces.update(workspaceId, { suspended: false })
      assert.isTrue(yield* isDue(moment(30_000)))
      yield* store.update(workspaceId, id, { status: "disabled" }, null)
      assert.isFalse(yield* isDue(FOREVER))
    }))

  it.effect("is due at once when a document of its workspace changes, and for no other", () =>
    Effect.gen(function*() {
      const [home, other] = [yield* freshSource, yield* freshSource]
      const { id, isDue, store } = yield* hooked(home.workspaceId)
      const rest = store.begin(home.workspaceId, id, FOREVER)
      const acts = [
        home.admit([item("a", "alpha")]),
        home.admit([item("a", "beta"), item("b", "beta")]),
        home.remove(["a"])
      ]
      for (const act of acts) {
        yield* rest
        yield* other.admit([item(newUuid(), "gamma")])
        assert.isFalse(yield* isDue(moment()))
        yield* act
        assert.isTrue(yield* isDue(moment()))
      }
      yield* rest
      // The same again changes nothing.
      yield* home.admit([item("b", "beta")])
      assert.isFalse(yield* isDue(moment()))
    }))

  it.effect("starts after the newest event, and advances only from its position", () =>
    Effect.gen(function*() {
      const { admit, workspaceId } = yield* freshSource
      yield* admit([item("a", "alpha"), item("b", "beta")])
      const { all, id, isDue, store } = yield* hooked(workspaceId)
      assert.strictEqual(Option.getOrThrow(yield* store.begin(workspaceId, id, FOREVER)).event_seq, 2)
      const move = (from: number, to: number) =>
        store.append(workspaceId, id, [newMessage("a")], { from, to, noted: `{"to":${to}}` }, KEPT)
      assert.isTrue(yield* move(2, 5))
      assert.isFalse(yield* move(2, 9))
      assert.isFalse(yield* isDue(moment()))
      assert.deepInclude(Option.getOrThrow(yield* store.find(workspaceId, id)), { event_seq: 5, noted: "{\"to\":5}" })
      assert.strictEqual((yield* all).length, 1)
      const moved = yield* fiftyTimes(() => move(5, 6))
      assert.strictEqual(moved.filter(Boolean).length, 1)
    }))

  it.effect("delivers an event once, even if it is appended twice, and is due at once", () =>
    Effect.gen(function*() {
      const { all, append, id, isDue, store, workspaceId } = yield* fresh
      yield* store.begin(workspaceId, id, FOREVER)
      const [one, two] = [newMessage("a"), newMessage("b")]
      yield* append(one)
      yield* append(one, two)
      assert.deepStrictEqual((yield* all).map(({ event_id, seq }) => [event_id, seq]), [[two.event_id, 2], [
        one.event_id,
        1
      ]])
      assert.isTrue(yield* isDue(moment()))
    }))

  it.effect("holds deliveries about a subject until the earlier ones are finished", () =>
    Effect.gen(function*() {
      const { append, id, ready, record, store, workspaceId } = yield* fresh
      const [a1, b1, a2, a3] = [newMessage("a"), newMessage("b"), newMessage("a"), newMessage("a")]
      yield* append(a1, b1, a2)
      yield* append(a3)
      assert.deepStrictEqual(yield* ready(), [a1.event_id, b1.event_id])
      yield* record(1, "pending", moment(60_000))
      assert.deepStrictEqual(yield* ready(moment(59_999)), [b1.event_id])
      assert.deepStrictEqual(yield* ready(moment(60_000)), [b1.event_id, a1.event_id])
      assert.deepStrictEqual(yield* store.backlog(workspaceId, id, 100), { pending: 4, next: moment() })
      yield* record(2, "succeeded")
      assert.deepStrictEqual(yield* store.backlog(workspaceId, id, 2), { pending: 2, next: moment(60_000) })
      yield* record(1, "failed")
      assert.deepStrictEqual(yield* ready(), [a2.event_id])
      yield* record(3, "succeeded")
      assert.deepStrictEqual(yield* ready(), [a3.event_id])
      yield* record(4, "succeeded")
      assert.deepStrictEqual(yield* store.backlog(workspaceId, id, 100), { pending: 0, next: null })
      const a4 = newMessage("a")
      yield* append(a4)
      assert.deepStrictEqual(yield* ready(), [a4.event_id])
    }))

  it.effect("claims at most the limit, the longest due first", () =>
    Effect.gen(function*() {
      const { append, ready } = yield* fresh
      const messages = [3, 1, 2].map((at) => newMessage(`${at}`, { created_at: moment(at) }))
      yield* append(...messages)
      assert.deepStrictEqual(yield* ready(FOREVER, 2), [messages[1]!.event_id, messages[2]!.event_id])
    }))

  it.effect("sends finished deliveries again, and keeps the order of the following ones", () =>
    Effect.gen(function*() {
      const { append, id, isDue, ready, record, store, workspaceId } = yield* fresh
      const [one, two, three] = [newMessage("a"), newMessage("a"), newMessage("a")]
      yield* append(one, two, three)
      yield* record(1, "succeeded")
      yield* record(2, "pending", moment(50))
      yield* store.begin(workspaceId, id, FOREVER)
      const again = yield* store.resend(workspaceId, id, one.event_id, moment(40))
      assert.deepInclude(Option.getOrThrow(again), {
        seq: 1,
        status: "pending",
        attempts: 1,
        next_attempt_at: moment(40)
      })
      yield* store.resend(workspaceId, id, two.event_id, moment(60))
      assert.isTrue(yield* isDue(moment(40)))
      assert.deepStrictEqual(yield* ready(), [one.event_id, two.event_id])
      yield* record(1, "succeeded")
      assert.deepStrictEqual(yield* ready(), [two.event_id])
      const unknown = EventId.make(newUuid())
      assert.isTrue(Option.isNone(yield* store.resend(workspaceId, id, unknown, moment())))
    }))

  it.effect("pages through deliveries newest first, optionally by status", () =>
    Effect.gen(function*() {
      const { append, id, record, store, workspaceId } = yield* fresh
      yield* append(...["a", "b", "c", "d"].map((subject) => newMessage(subject)))
      yield* record(2, "succeeded")
      yield* record(4, "failed")
      const seqs = (status: DeliveryStatus | null, after: number | null, limit: number) =>
        Effect.map(
          store.deliveries(workspaceId, id, { status, after, limit }),
          (found) => found.map(({ seq }) => seq)
        )
      assert.deepStrictEqual(yield* seqs(null, null, 3), [4, 3, 2])
      assert.deepStrictEqual(yield* seqs(null, 2, 3), [1])
      assert.deepStrictEqual(yield* seqs("pending", null, 9), [3, 1])
      assert.deepStrictEqual(yield* seqs("pending", 3, 9), [1])
      assert.deepStrictEqual(yield* seqs("failed", null, 9), [4])
    }))

  it.effect("keeps the newest finished deliveries, and all pending ones", () =>
    Effect.gen(function*() {
      const { all, append, id, record, store, workspaceId } = yield* fresh
      yield* append(...["a", "b", "c", "d"].map((subject) => newMessage(subject)))
      for (const seq of [1, 3, 4]) yield* record(seq, "succeeded")
      yield* store.append(workspaceId, id, [newMessage("e")], null, 2)
      assert.deepStrictEqual((yield* all).map(({ seq }) => seq), [5, 4, 2])
    }))

  it.effect("deletes old finished deliveries", () =>
    Effect.gen(function*() {
      const { all, append, record, store } = yield* fresh
      yield* append(...[999, 999, 1_000].map((at) => newMessage(`${at}`, { created_at: new Date(at) })))
      yield* record(1, "succeeded")
      yield* record(3, "succeeded")
      yield* store.prune(new Date(1_000))
      assert.deepStrictEqual((yield* all).map(({ seq }) => seq), [3, 2])
    }))

  it.effect("deletes a webhook with its deliveries, once", () =>
    Effect.gen(function*() {
      const { all, append, id, ready, store, workspaceId } = yield* fresh
      yield* append(newMessage("a"))
      assert.isTrue(yield* store.remove(workspaceId, id))
      assert.isFalse(yield* store.remove(workspaceId, id))
      assert.isTrue(Option.isNone(yield* store.find(workspaceId, id)))
      assert.deepStrictEqual(yield* all, [])
      assert.deepStrictEqual(yield* ready(), [])
      assert.isFalse(yield* append(newMessage("b")))
    }))

  it.effect("shows and changes nothing in a closed workspace, and is erased with it", () =>
    Effect.gen(function*() {
      const { all, append, id, isDue, ready, store, workspaceId } = yield* fresh
      yield* append(newMessage("a"))
      const workspaces = yield* WorkspaceStore
      yield* workspaces.close(workspaceId, newJob(workspaceId, newQueue()))
      for (const erased of [false, true]) {
        if (erased) yield* workspaces.erase(workspaceId)
        assert.deepStrictEqual(yield* store.list(workspaceId), [])
        assert.isTrue(Option.isNone(yield* store.find(workspaceId, id)))
        assert.isTrue(Option.isNone(yield* store.begin(workspaceId, id, FOREVER)))
        assert.strictEqual(yield* store.insert(workspaceId, newWebhook(), 10), "full")
        assert.isFalse(yield* append(newMessage("b")))
        assert.isFalse(yield* isDue(FOREVER))
        assert.deepStrictEqual(yield* ready(), [])
        assert.deepStrictEqual(yield* all, [])
      }
    }))
}
