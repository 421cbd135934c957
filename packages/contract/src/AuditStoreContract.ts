/** The contract of `AuditStore`. */
import { assert } from "@effect/vitest"
import { AuditLog } from "@tributary/core/AuditLog"
import type { AuditEntry, AuditFilter } from "@tributary/core/model/AuditEntry"
import { AccountId, AuditEntryId } from "@tributary/core/model/Id"
import type { Page } from "@tributary/core/model/Page"
import { AuditStore, EVERY_ENTRY } from "@tributary/core/ports/AuditStore"
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

const ALL = { workspaceId: null, selection: EVERY_ENTRY, after: null }

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
      assert.deepStrictEqual(yield* store.list(account_id, { ...ALL, limit: 10 }), [entry])
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
      const foreign = newEntry({ workspace_id: stranger.shared.workspace_id })
      yield* store.append({ ...foreign, account_id: stranger.account.account_id })
      const list = (after: AuditEntryId | null, limit: number, workspaceId = null as typeof two.workspace_id) =>
        store.list(account_id, { ...ALL, workspaceId, after, limit })
      assert.deepStrictEqual(yield* list(null, 2), [three, two])
      assert.deepStrictEqual(yield* list(two.entry_id, 2), [one])
      assert.deepStrictEqual(yield* list(null, 9, shared.workspace_id), [two])
      assert.deepStrictEqual(yield* list(null, 9, stranger.shared.workspace_id), [])
    }))

  it.effect("is filtered by action, actor, subject, time and words, even if they are rare", () =>
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
      for (
        const filter of [
          { action: "web" },
          { action: "webhook.deleted" },
          { q: "example nobody" },
          { q: "%" },
          { from: until, actor: actor.id },
          { to: sought.created_at, actor: actor.id },
          { from: new Date("9999-12-31T23:59:59.999Z") }
        ]
      ) assert.deepStrictEqual(yield* found(filter), [], JSON.stringify(filter))
    }).pipe(Effect.provide(AuditLog.layer)))

  it.effect("pages through selected entries of one workspace or of the account, each page full except the last", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id }, personal, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const entries = Array.from({ length: 12 }, (_, n) =>
        newEntry({
          action: n % 3 === 0 ? "member.added" : "api_key.created",
          workspace_id: n % 2 === 0 ? shared.workspace_id : null
        }))
      for (const entry of entries) yield* store.append({ ...entry, account_id })
      yield* store.append({ ...newEntry({ action: "member.added" }), account_id: stranger.account.account_id })
      const { list } = yield* AuditLog
      const pagesOf = Effect.fnUntraced(function*(workspace: typeof shared, limit: number) {
        const pages: Array<ReadonlyArray<AuditEntry>> = []
        let cursor: string | null = null
        do {
          const page: Page<AuditEntry> = yield* list(workspace, { action: "member" }, { cursor, limit })
          pages.push(page.items)
          cursor = page.next
        } while (cursor !== null)
        return pages
      })
      const [zero, three, six, nine] = [entries[0]!, entries[3]!, entries[6]!, entries[9]!]
      assert.deepStrictEqual(yield* pagesOf(personal, 2), [[nine, six], [three, zero]])
      assert.deepStrictEqual(yield* pagesOf(personal, 3), [[nine, six, three], [zero]])
      assert.deepStrictEqual(yield* pagesOf(shared, 1), [[six], [zero]])
    }).pipe(Effect.provide(AuditLog.layer)))

  it.effect("deletes old entries", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id } } = yield* freshTeam
      const [old, kept] = [newEntry({ created_at: new Date(999) }), newEntry({ created_at: new Date(1_000) })]
      for (const entry of [old, kept]) yield* store.append({ ...entry, account_id })
      yield* store.prune(new Date(1_000))
      assert.deepStrictEqual(yield* store.list(account_id, { ...ALL, limit: 9 }), [kept])
    }))

  it.effect("stores nothing for an absent account, and deletes the entries of a deleted one", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const { account: { account_id }, shared } = yield* freshTeam
      const nobody = AccountId.make(newUuid())
      yield* store.append({ ...newEntry(), account_id: nobody })
      yield* store.append({ ...newEntry({ workspace_id: shared.workspace_id }), account_id })
      yield* (yield* WorkspaceStore).removeAccount(account_id)
      for (const id of [nobody, account_id]) {
        assert.deepStrictEqual(yield* store.list(id, { ...ALL, limit: 9 }), [])
      }
    }))
}
