/** What every `AuditStore` does. */
import { assert } from "@effect/vitest"
import { AuditLog } from "@tributary/core/AuditLog"
import type { AuditEntry, AuditFilter } from "@tributary/core/model/AuditEntry"
import { AccountId, AuditEntryId } from "@tributary/core/model/Id"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"
import { anyText } from "./internal/anyText.ts"
import { freshTeam, moment, newUuid } from "./internal/fixtures.ts"
import { type PeopleKit, RUNS } from "./internal/Kit.ts"

const newEntry = (fields?: Partial<AuditEntry>): AuditEntry => ({
  entry_id: AuditEntryId.make(newUuid()),
  action: "api_key.created",
  actor: { type: "user", id: "operator" },
  workspace_id: null,
  subject: newUuid(),
  details: {},
  address: null,
  created_at: moment(),
  ...fields
})

export const auditStoreContract = (it: PeopleKit): void => {
  it.effect.prop("returns an entry as it was written", [anyText, anyText], ([id, text]) =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id } } = yield* freshTeam
      const entry = newEntry({
        actor: { type: "api_key", id },
        subject: text,
        details: { text, count: 3, yes: true, nothing: null },
        address: "2001:db8::1"
      })
      yield* store.append({ ...entry, account_id })
      assert.deepStrictEqual(yield* store.list(account_id, { workspaceId: null, after: null, limit: 10 }), [entry])
    }), RUNS)

  it.effect("lists an account's entries newest first, page by page, and those of one workspace", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id }, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const one = newEntry()
      const two = newEntry({ workspace_id: shared.workspace_id })
      const three = newEntry({ created_at: moment(-1) })
      for (const entry of [three, one, two]) yield* store.append({ ...entry, account_id })
      yield* store.append({ ...newEntry(), account_id: stranger.account.account_id })
      const list = (after: AuditEntryId | null, limit: number, workspaceId = null as typeof two.workspace_id) =>
        store.list(account_id, { workspaceId, after, limit })
      assert.deepStrictEqual(yield* list(null, 2), [three, two])
      assert.deepStrictEqual(yield* list(two.entry_id, 2), [one])
      assert.deepStrictEqual(yield* list(null, 9, shared.workspace_id), [two])
      assert.deepStrictEqual(yield* list(null, 9, stranger.shared.workspace_id), [])
    }))

  it.effect("is looked through for an action, an actor, a subject, a time and words, however rare they are", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id }, personal } = yield* freshTeam
      const actor = { type: "user", id: newUuid() } as const
      const sought = newEntry({ action: "webhook.created", actor, details: { url: "https://Example.org/é" } })
      yield* store.append({ ...sought, account_id })
      yield* Effect.forEach(Array(600).keys(), () => store.append({ ...newEntry(), account_id }))
      const { list } = yield* AuditLog
      const found = (filter: AuditFilter) =>
        Effect.map(list(personal, filter, { cursor: null, limit: 2 }), ({ items, next }) => {
          assert.isNull(next)
          return items
        })
      const until = new Date(sought.created_at.getTime() + 1)
      for (
        const filter of [
          { action: "webhook" },
          { action: "session.started,webhook.created" },
          { actor: actor.id },
          { subject: sought.subject },
          { q: "EXAMPLE.org é" },
          { action: "webhook", from: sought.created_at, to: until }
        ]
      ) assert.deepStrictEqual(yield* found(filter), [sought], JSON.stringify(filter))
      for (const filter of [{ action: "web" }, { q: "example nobody" }, { from: until, actor: actor.id }]) {
        assert.deepStrictEqual(yield* found(filter), [], JSON.stringify(filter))
      }
    }).pipe(Effect.provide(AuditLog.layer)))

  it.effect("forgets what is older than it is kept", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id } } = yield* freshTeam
      const [old, kept] = [newEntry({ created_at: new Date(999) }), newEntry({ created_at: new Date(1_000) })]
      for (const entry of [old, kept]) yield* store.append({ ...entry, account_id })
      yield* store.prune(new Date(1_000))
      assert.deepStrictEqual(yield* store.list(account_id, { workspaceId: null, after: null, limit: 9 }), [kept])
    }))

  it.effect("keeps nothing for an account that is absent, and drops the entries of one that goes", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id }, shared } = yield* freshTeam
      const nobody = AccountId.make(newUuid())
      yield* store.append({ ...newEntry(), account_id: nobody })
      yield* store.append({ ...newEntry({ workspace_id: shared.workspace_id }), account_id })
      yield* (yield* WorkspaceStore).removeAccount(account_id)
      for (const id of [nobody, account_id]) {
        assert.deepStrictEqual(yield* store.list(id, { workspaceId: null, after: null, limit: 9 }), [])
      }
    }))
}
