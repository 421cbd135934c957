/** What changed in a folder since the last sync: by what the server remembers (QRESYNC), and by listing. */
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { imap } from "@tributary/sources/Imap"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { itemOf, type Outcome, sync } from "./support/collect.ts"
import { deliver, login, startDovecot, withMailbox } from "./support/dovecot.ts"
import { interposed } from "./support/interposed.ts"
import { describeWith } from "./support/describeWith.ts"
import type { Running } from "./support/programs.ts"

const provider = imap({ allowPrivateAddresses: ["127.0.0.1"] })

const mail = (number: number) =>
  `Subject: mail ${number}\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT\r\n\r\nText ${number}.\r\n`

const withTable = (number: number) =>
  `Subject: mail ${number}
Content-Type: multipart/mixed; boundary=cut

--cut

See attached.
--cut
Content-Type: text/csv; name=list.csv

name,count
--cut--`.replaceAll("\n", "\r\n")

const ROUNDS = extent(6, 15)

const numbers = (length: number) => Array.from({ length }, (_, at) => at)

/** Passes on what the server sends, with each match of the one replaced by the other. */
const replacing = (pattern: RegExp, text: string) => (piece: Buffer) =>
  Buffer.from(piece.toString("latin1").replace(pattern, text), "latin1")

/** The server offers less than it can. */
const withoutMemory = replacing(/QRESYNC/g, "XRESYNC")

/** It does not count changes. */
const uncounted = (piece: Buffer) => replacing(/\[HIGHESTMODSEQ \d+\]/, "[NOMODSEQ]")(withoutMemory(piece))

const ids = (count: number) => numbers(count).map((number) => `INBOX/${number + 1}`)

/** What a store holds after a sync. */
const after = (held: ReadonlyArray<string>, { complete, deletes, upserts }: Outcome): ReadonlyArray<string> =>
  [...new Set([...held, ...upserts])].filter((id) => complete?.includes(id) ?? !deletes.includes(id)).sort()

describeWith(["dovecot"], "what changed in a mailbox", () => {
  let dovecot: Running
  let people = 0
  beforeAll(async () => {
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot?.stop())

  const at = (username: string, port = dovecot.port) => login(port, username)

  /** Someone with mails 1 to `count`, which were synced. */
  const synced = Effect.fnUntraced(function*(count: number) {
    const user = `person${++people}`
    deliver(dovecot.folder, user, numbers(count).map(mail))
    const { cursor } = yield* sync(provider, at(user), "INBOX")
    const change = <A>(use: Parameters<typeof withMailbox<A>>[2]) =>
      Effect.promise(() =>
        withMailbox(dovecot.port, user, async (client) => {
          await client.mailboxOpen("INBOX")
          return use(client)
        })
      )
    const remove = (uids: string) => change((client) => client.messageDelete(uids, { uid: true }))
    return { user, cursor: cursor!, change, remove }
  })

  for (const [way, pass] of Object.entries({ "by what went": (piece: Buffer) => piece, "by listing": withoutMemory })) {
    it.live(`is found exactly, ${way}`, () =>
      Effect.gen(function*() {
        const { change, user } = yield* synced(0)
        yield* change((client) => client.mailboxCreate("Elsewhere"))
        const config = at(user, yield* interposed(dovecot.port, pass))
        let state = 1
        const below = (bound: number) => (state = state * 48_271 % 0x7fffffff) % bound
        let held: ReadonlyArray<string> = []
        let cursor: string | null = null
        const ways = new Set<boolean>()
        for (let round = 0; round < ROUNDS; round++) {
          const expected = yield* change(async (client) => {
            for (const number of numbers(below(5))) {
              await client.append("INBOX", (number % 2 === 0 ? withTable : mail)(100 * round + number))
            }
            const search = async () => [...await client.search({ all: true }, { uid: true }) || []]
            const all = await search()
            const some = (most: number) => all.filter(() => below(10) < most).join(",")
            const [flagged, moved, deleted] = [some(5), some(1), some(2)]
            if (flagged !== "") await client.messageFlagsAdd(flagged, ["\\Answered"], { uid: true })
            if (moved !== "") await client.messageMove(moved, "Elsewhere", { uid: true })
            if (deleted !== "") await client.messageDelete(deleted, { uid: true })
            const ids: Array<string> = []
            for (const uid of await search()) {
              const { bodyStructure } = await client.fetchOne(`${uid}`, { bodyStructure: true }, { uid: true }) || {}
              ids.push(`INBOX/${uid}`, ...(bodyStructure?.childNodes === undefined ? [] : [`INBOX/${uid}.1`]))
            }
            return ids.sort()
          })
          const outcome: Outcome = yield* sync(provider, config, "INBOX", cursor)
          held = after(held, outcome)
          assert.deepStrictEqual(held, expected, `round ${round}`)
          if (round > 1 && outcome.steps.length > 1) ways.add(outcome.complete === null)
          cursor = outcome.cursor
        }
        assert.deepStrictEqual([...ways], [way === "by what went"])
      }))
  }

  it.live("is empty if only flags changed, however often", () =>
    Effect.gen(function*() {
      const { change, cursor, remove, user } = yield* synced(5)
      yield* change((client) => client.messageFlagsAdd("1:5", ["\\Answered"], { uid: true }))
      const flagged = yield* sync(provider, at(user), "INBOX", cursor)
      assert.deepStrictEqual(flagged.steps.map(({ _tag }) => _tag), ["Checkpoint"])
      assert.notStrictEqual(flagged.cursor, cursor)
      yield* change((client) => client.messageFlagsAdd("1:3", ["\\Seen"], { uid: true }))
      yield* remove("2")
      const { deletes, upserts } = yield* sync(provider, at(user), "INBOX", flagged.cursor)
      assert.deepStrictEqual({ deletes, upserts }, { deletes: ["INBOX/2"], upserts: [] })
    }))

  it.live("includes every mail if all are gone, and is held with the others", () =>
    Effect.gen(function*() {
      const { cursor, remove, user } = yield* synced(30)
      yield* remove("1:30")
      const { complete, deletes } = yield* sync(provider, at(user), "INBOX", cursor)
      assert.deepStrictEqual({ complete, deletes: deletes.length }, { complete: null, deletes: 30 })
    }))

  it.live("is listed with the cursor of a server without change counts, and then remembered", () =>
    Effect.gen(function*() {
      const { cursor, remove, user } = yield* synced(4)
      const old = cursor.replace(/"state":"5 4 \d+"/, "\"state\":\"5 4\"")
      assert.notStrictEqual(old, cursor)
      assert.strictEqual((yield* sync(provider, at(user), "INBOX", old)).cursor, cursor)
      yield* remove("1")
      const listed = yield* sync(provider, at(user), "INBOX", old)
      assert.deepStrictEqual(listed.complete, ["INBOX/2", "INBOX/3", "INBOX/4"])
      yield* remove("2")
      assert.deepStrictEqual((yield* sync(provider, at(user), "INBOX", listed.cursor)).deletes, ["INBOX/2"])
    }))

  it.live("is listed if the server's change count decreases", () =>
    Effect.gen(function*() {
      const { change, cursor, user } = yield* synced(2)
      yield* change((client) => client.append("INBOX", mail(3)))
      const ahead = cursor.replace(/"state":"3 2 \d+"/, "\"state\":\"3 2 99999\"")
      const { complete } = yield* sync(provider, at(user), "INBOX", ahead)
      assert.deepStrictEqual(complete, ["INBOX/1", "INBOX/2", "INBOX/3"])
    }))

  it.live("is listed if a mail that arrived at the start of the last sync was included", () =>
    Effect.gen(function*() {
      const { change, cursor, remove, user } = yield* synced(2)
      yield* change((client) => client.append("INBOX", mail(3)))
      yield* remove("3")
      const beyond = cursor.replace("\"taken\":2", "\"taken\":3")
      const { complete } = yield* sync(provider, at(user), "INBOX", beyond)
      assert.deepStrictEqual(complete, ["INBOX/1", "INBOX/2"])
    }))

  const LIES = {
    "names mails that never were": replacing(/VANISHED \(EARLIER\) \S+/, "VANISHED (EARLIER) 1:4294967295"),
    "names some twice": replacing(/VANISHED \(EARLIER\) \S+/, "VANISHED (EARLIER) 1,1"),
    "names too few": replacing(/VANISHED \(EARLIER\) \S+/, "VANISHED (EARLIER) 1"),
    "names numbers that are still to come": replacing(/VANISHED \(EARLIER\) \S+/, "VANISHED (EARLIER) 1,7"),
    "names nothing": replacing(/\* VANISHED \(EARLIER\) \S+\r\n/, ""),
    "says what no one understands": replacing(/VANISHED \(EARLIER\) \S+/, "VANISHED (EARLIER) ()"),
    "refuses the list": replacing(/(\* VANISHED \(EARLIER\) \S+\r\n\S+) OK/, "$1 NO"),
    "counts no changes of this folder": replacing(/\[HIGHESTMODSEQ \d+\]/, "[NOMODSEQ]")
  }
  for (const [lie, pass] of Object.entries(LIES)) {
    it.live(`is listed if the server ${lie}`, () =>
      Effect.gen(function*() {
        const { change, cursor, remove, user } = yield* synced(4)
        yield* remove("1,3")
        yield* change((client) => client.append("INBOX", mail(5)))
        const config = at(user, yield* interposed(dovecot.port, pass))
        const { complete, deletes, upserts } = yield* sync(provider, config, "INBOX", cursor)
        assert.deepStrictEqual({ complete, deletes, upserts }, {
          complete: ["INBOX/2", "INBOX/4", "INBOX/5"],
          deletes: [],
          upserts: ["INBOX/5"]
        })
      }))
  }

  it.live("includes a mail that is deleted at the start of a sync by the next one at the latest", () =>
    Effect.gen(function*() {
      const { change, cursor, remove, user } = yield* synced(4)
      yield* change((client) => client.append("INBOX", mail(5)))
      // What comes first after the folder was opened: by then it says that it has five mails.
      const isOpen = (piece: Buffer) => piece.includes("Examine completed")
      let removed = Promise.resolve<unknown>(undefined)
      const port = yield* interposed(dovecot.port, (piece, _, client) => {
        if (!isOpen(piece)) return piece
        removed = Effect.runPromise(remove("2,5")).then(() => client.write(piece))
        return null
      })
      const first = yield* sync(provider, at(user, port), "INBOX", cursor)
      yield* Effect.promise(() => removed)
      const second = yield* sync(provider, at(user), "INBOX", first.cursor)
      const all = numbers(4).map((number) => `INBOX/${number + 1}`)
      assert.deepStrictEqual(after(after(all, first), second), ["INBOX/1", "INBOX/3", "INBOX/4"])
    }))

  /** The user's mails as they were. */
  const copied = (user: string) => {
    const box = join(dovecot.folder, "mail", user, "Maildir")
    cpSync(box, `${box}.copy`, { recursive: true, preserveTimestamps: true })
    return () => {
      rmSync(box, { recursive: true })
      cpSync(`${box}.copy`, box, { recursive: true, preserveTimestamps: true })
      // They are the server's own.
      deliver(dovecot.folder, user, [])
    }
  }

  it.live("identifies the mails of a folder that was restored from a copy", () =>
    Effect.gen(function*() {
      const { change, user } = yield* synced(3)
      const restore = copied(user)
      for (const number of [4, 5]) yield* change((client) => client.append("INBOX", withTable(number)))
      const first = yield* sync(provider, at(user), "INBOX")
      assert.deepStrictEqual(first.complete?.slice(3), ["INBOX/4", "INBOX/4.1", "INBOX/5", "INBOX/5.1"])
      restore()
      yield* change((client) => client.append("INBOX", mail(6)))
      const second = yield* sync(provider, at(user), "INBOX", first.cursor)
      assert.deepStrictEqual(second.complete, ["INBOX/1", "INBOX/2", "INBOX/3", "INBOX/4"])
      assert.deepInclude(itemOf(second, "INBOX/4")?.payload, { subject: "mail 6" })
    }))

  for (const [way, pass] of Object.entries({ "counted": (piece: Buffer) => piece, "not counted": uncounted })) {
    for (
      const [what, lost, came, gone] of [
        ["as many mails", [4, 5], [6, 7], ""],
        ["more mails", [4, 5], [6, 7, 8], ""],
        ["mails where the last ones had gone", [4, 5], [6, 7, 8], "3:5"],
        ["mails in an empty folder", [4, 5], [6, 7, 8], "1:5"]
      ] as const
    ) {
      it.live(`identifies mails if ${what} arrived after a restore, and changes are ${way}`, () =>
        Effect.gen(function*() {
          const { change, remove, user } = yield* synced(3)
          const config = at(user, yield* interposed(dovecot.port, pass))
          const restore = copied(user)
          for (const number of lost) yield* change((client) => client.append("INBOX", mail(number)))
          const whole = yield* sync(provider, config, "INBOX")
          if (gone !== "") yield* remove(gone)
          const first = yield* sync(provider, config, "INBOX", whole.cursor)
          const again = yield* sync(provider, config, "INBOX", first.cursor)
          assert.deepStrictEqual(again.steps.map(({ _tag }) => _tag), ["Checkpoint"])
          restore()
          for (const number of came) yield* change((client) => client.append("INBOX", mail(number)))
          const second = yield* sync(provider, config, "INBOX", again.cursor)
          assert.deepInclude(itemOf(second, "INBOX/4")?.payload, { subject: "mail 6" })
          assert.deepStrictEqual(second.complete, ids(3 + came.length))
          const third = yield* sync(provider, config, "INBOX", second.cursor)
          assert.deepStrictEqual(third.steps.map(({ _tag }) => _tag), ["Checkpoint"])
        }))
    }
  }

  it.live("is empty if the server reports flags in its answer", () =>
    Effect.gen(function*() {
      const { cursor, user } = yield* synced(5)
      let fetches = 0
      const withFlags = (piece: Buffer) => {
        const text = piece.toString("latin1")
        if (text.includes("OK Fetch completed")) fetches++
        return Buffer.from(
          text.replace(/(\S+ OK Fetch completed)/, "* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n* 2 FETCH (FLAGS ())\r\n$1"),
          "latin1"
        )
      }
      const again = yield* sync(provider, at(user, yield* interposed(dovecot.port, withFlags)), "INBOX", cursor)
      assert.strictEqual(fetches, 1)
      assert.deepStrictEqual(again.steps.map(({ _tag }) => _tag), ["Checkpoint"])
    }))

  it.live("does not grow if the last mails are deleted, and others arrive", () =>
    Effect.gen(function*() {
      const { change, cursor, remove, user } = yield* synced(12)
      yield* remove("3,9:12")
      const first = yield* sync(provider, at(user), "INBOX", cursor)
      assert.deepStrictEqual(first.upserts, [])
      yield* remove("4:8")
      for (const number of [13, 14]) yield* change((client) => client.append("INBOX", mail(number)))
      const second = yield* sync(provider, at(user), "INBOX", first.cursor)
      assert.deepStrictEqual(second.upserts, ["INBOX/13", "INBOX/14"])
    }))
})
