/** The connections to one account, of which a server allows few. */
import type { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { imap } from "@tributary/sources/Imap"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Turns } from "../../src/internal/imap/Turns.ts"
import { sync } from "../support/collect.ts"
import { describeWith } from "../support/describeWith.ts"
import { login, startDovecot, withMailbox } from "../support/dovecot.ts"
import { interposed } from "../support/interposed.ts"
import type { Running } from "../support/programs.ts"

const provider = imap({ allowPrivateAddresses: ["127.0.0.1"] })

const FOLDERS = ["A", "B", "C", "D", "E", "F"]

describeWith(["dovecot"], "a mailbox with many folders", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot?.stop())

  it.live("is synced over two connections at a time", () =>
    Effect.gen(function*() {
      yield* Effect.promise(() =>
        withMailbox(dovecot.port, "busy", async (client) => {
          for (const path of FOLDERS) {
            await client.mailboxCreate(path)
            await client.append(path, "Subject: one\r\n\r\nOne")
          }
        })
      )
      const open = new Set<Socket>()
      let most = 0
      const count = (piece: Buffer, _: number, client: Socket) => {
        if (!open.has(client)) client.once("close", () => open.delete(client))
        most = Math.max(most, open.add(client).size)
        return piece
      }
      const config = login(yield* interposed(dovecot.port, count), "busy")
      const synced = yield* Effect.forEach(FOLDERS, (folder) => sync(provider, config, folder), { concurrency: 6 })
      assert.deepStrictEqual(synced.map(({ complete }) => complete), FOLDERS.map((folder) => [`${folder}/1`]))
      // One that ends may still be open at this side when the next one begins.
      assert.isAtMost(most, 3)
    }))

  it("lets those go that do not wait any longer, and forgets an account without any", async () => {
    const turns = new Turns()
    const { signal } = new AbortController()
    const leave = [await turns.take("a", signal), await turns.take("a", signal)]
    const impatient = new AbortController()
    const gone = turns.take("a", impatient.signal)
    const [entered, later] = [turns.take("a", signal), turns.take("a", signal)]
    impatient.abort(new Error("no more"))
    assert.strictEqual(await gone.then(() => null, ({ message }) => message), "no more")
    const late = turns.take("a", impatient.signal)
    assert.strictEqual(await late.then(() => null, ({ message }) => message), "no more")
    leave[0]!()
    ;(await entered)()
    leave[1]!()
    ;(await later)()
    for (const enter of [turns.take("a", signal), turns.take("a", signal)]) (await enter)()
  })
})
