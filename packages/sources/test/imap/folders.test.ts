/** Which folders of a mailbox are pulled. */
import { assert, it } from "@effect/vitest"
import { imap } from "@tributary/sources/Imap"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { sync } from "../support/collect.ts"
import { describeWith } from "../support/describeWith.ts"
import { login, startDovecot, withMailbox } from "../support/dovecot.ts"
import { interposed } from "../support/interposed.ts"
import type { Running } from "../support/programs.ts"

const provider = imap({ allowPrivateAddresses: ["127.0.0.1"] })

describeWith(["dovecot"], "a connected mailbox", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot?.stop())
  const at = (user: string) => login(dovecot.port, user)
  const change = <A>(user: string, use: Parameters<typeof withMailbox<A>>[2]) =>
    Effect.promise(() => withMailbox(dovecot.port, user, use))

  it.live("has the folders that keep mails: not junk, trash and what is in them, whatever they are named", () =>
    Effect.gen(function*() {
      const kept = ["INBOX", "Sent", "Archive", "Archive/Trash", "INBOX/Straße & Co", "日本語", "Trashed plans"]
      yield* change("sorted", async (client) => {
        const others = ["Spam", "Spam/2026", "Trash", "Trash/Old plans", "Drafts", "Drafts/Talk", "All"]
        for (const path of [...kept.slice(1), ...others]) await client.mailboxCreate(path)
        await client.append("日本語", "Subject: one\r\n\r\nOne")
        await client.append("INBOX/Straße & Co", "Subject: two\r\n\r\nTwo")
      })
      assert.sameMembers([...yield* provider.resources(at("sorted"))], kept)
      assert.deepStrictEqual((yield* sync(provider, at("sorted"), "日本語")).complete, ["日本語/1"])
      assert.deepStrictEqual((yield* sync(provider, at("sorted"), kept[4]!)).complete, ["INBOX/Straße & Co/1"])
      const named = yield* provider.resources({ ...at("sorted"), folders: ["Inbox", "Trash/Old plans", "None"] })
      assert.sameMembers([...named], ["INBOX", "Trash/Old plans"])
    }))

  it.live("at Gmail is the folder of all mails, which alone has those that are archived", () =>
    Effect.gen(function*() {
      yield* change("labelled", async (client) => {
        for (const path of ["All", "Plans"]) await client.mailboxCreate(path)
      })
      const asGmail = (piece: Buffer) =>
        Buffer.from(piece.toString("latin1").replaceAll(" UIDPLUS", " UIDPLUS X-GM-EXT-1"), "latin1")
      const port = yield* interposed(dovecot.port, asGmail)
      const config = { ...at("labelled"), port }
      assert.deepStrictEqual(yield* provider.resources(config), ["All"])
      assert.deepStrictEqual((yield* sync(provider, config, "All")).complete, [])
      assert.strictEqual((yield* Effect.flip(sync(provider, config, "Plans")))._tag, "SourceGone")
      const named = { ...config, folders: ["Plans"] }
      assert.deepStrictEqual(yield* provider.resources(named), ["Plans"])
      assert.deepStrictEqual((yield* sync(provider, named, "Plans")).complete, [])
    }))
})
