import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { imap } from "@tributary/sources/Imap"
import { Effect, Fiber, Option, Queue, Redacted, Stream } from "effect"
import { afterAll, beforeAll } from "vitest"
import { mailFailure } from "../src/internal/imap/mailServer.ts"
import { badServer } from "./support/badServers.ts"
import { brokenOff, fileOf, itemOf, sync } from "./support/collect.ts"
import { deliver, login, startDovecot, withMailbox } from "./support/dovecot.ts"
import { interposed } from "./support/interposed.ts"
import { describeWith } from "./support/describeWith.ts"
import type { Running } from "./support/programs.ts"

const mail = (subject: string, headers: ReadonlyArray<string> = []) =>
  [
    "From: Ada Lovelace <ada@example.org>",
    "To: grace@example.org",
    `Subject: ${subject}`,
    `Message-ID: <${encodeURIComponent(subject)}@example.org>`,
    "Date: Mon, 02 Mar 2026 10:00:00 +0100",
    ...headers,
    "",
    `About ${subject}.`
  ].join("\r\n")

const WITH_ATTACHMENT = [
  "From: ada@example.org",
  "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
  "References: <first@example.org> <second@example.org>",
  "MIME-Version: 1.0",
  "Content-Type: multipart/mixed; boundary=cut",
  "",
  "--cut",
  "Content-Type: text/html; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>Sch=F6n</p>",
  "--cut",
  "Content-Type: text/csv; name=list.csv",
  "Content-Disposition: attachment; filename=list.csv",
  "",
  "name,count",
  "--cut",
  "Content-Type: image/png; name=a.png",
  "Content-Disposition: attachment; filename=a.png",
  "Content-Transfer-Encoding: base64",
  "",
  "iVBORw0KGgo=",
  "--cut--"
].join("\r\n")

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

  it.live("returns its mails, and then exactly the new, moved and deleted ones", () =>
    Effect.gen(function*() {
      yield* change("ada", async (client) => {
        await client.mailboxCreate("Archive/2026")
        for (const subject of ["one", "two", "three"]) await client.append("INBOX", mail(subject))
      })
      assert.deepStrictEqual(yield* provider.resources(at("ada")), ["INBOX", "Archive/2026"])
      assert.deepStrictEqual(yield* provider.resources({ ...at("ada"), folders: ["Junk"] }), ["Junk"])
      const first = yield* sync(provider, at("ada"), "INBOX")
      assert.deepStrictEqual(first.upserts, ["INBOX/1", "INBOX/2", "INBOX/3"])
      assert.deepStrictEqual(first.complete, first.upserts)
      const item = itemOf(first, "INBOX/1")!
      assert.deepStrictEqual(item, {
        external_id: "INBOX/1",
        timestamp: new Date("2026-03-02T09:00:00Z"),
        payload: {
          kind: "email",
          subject: "one",
          from: "Ada Lovelace <ada@example.org>",
          to: ["grace@example.org"],
          body: "About one.\n",
          thread_id: "<one@example.org>"
        },
        metadata: { message_id: "<one@example.org>" }
      })
      const unchanged = yield* sync(provider, at("ada"), "INBOX", first.cursor)
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])

      yield* change("ada", async (client) => {
        await client.append("INBOX", mail("four"))
        await client.mailboxOpen("INBOX")
        await client.messageMove("2", "Archive/2026", { uid: true })
        await client.messageDelete("1", { uid: true })
        await client.messageFlagsAdd("3", ["\\Seen"], { uid: true })
      })
      const second = yield* sync(provider, at("ada"), "INBOX", first.cursor)
      assert.deepStrictEqual(second.upserts, ["INBOX/4"])
      assert.deepStrictEqual(second.deletes, ["INBOX/1", "INBOX/2"])
      assert.deepStrictEqual((yield* sync(provider, at("ada"), "Archive/2026")).upserts, ["Archive/2026/1"])

      yield* change("ada", async (client) => {
        await client.mailboxOpen("INBOX")
        await client.messageDelete("1:*")
      })
      const { deletes } = yield* sync(provider, at("ada"), "INBOX", second.cursor)
      assert.deepStrictEqual(deletes, ["INBOX/3", "INBOX/4"])
    }))

  it.live("returns attachments as separate documents, as long as their mail exists", () =>
    Effect.gen(function*() {
      yield* change("attached", (client) => client.append("INBOX", WITH_ATTACHMENT))
      const first = yield* sync(provider, at("attached"), "INBOX")
      assert.deepStrictEqual(first.complete, ["INBOX/1", "INBOX/1.1"])
      const { payload } = itemOf(first, "INBOX/1")!
      assert.deepInclude(payload, { subject: "Grüße", thread_id: "<first@example.org>" })
      assert.match(String(payload?.["body_html"]), /Schön/)
      const file = fileOf(first, "INBOX/1.1")
      assert.strictEqual(new TextDecoder().decode(file.bytes).trim(), "name,count")
      assert.deepInclude(file, { name: "list.csv", contentType: "text/csv" })

      yield* change("attached", (client) => client.append("INBOX", mail("more")))
      const second = yield* sync(provider, at("attached"), "INBOX", first.cursor)
      assert.deepStrictEqual(second.deletes, [])

      yield* change("attached", async (client) => {
        await client.mailboxOpen("INBOX")
        await client.messageDelete("1", { uid: true })
      })
      const third = yield* sync(provider, at("attached"), "INBOX", second.cursor)
      assert.deepStrictEqual(third.deletes, ["INBOX/1", "INBOX/1.1"])
    }))

  it.live("resumes from the last checkpoint, and starts again after a new UIDVALIDITY", () =>
    Effect.gen(function*() {
      deliver(dovecot.folder, "large", Array.from({ length: 300 }, (_, at) => mail(`mail ${at}`)))
      const first = yield* brokenOff(provider, at("large"), "INBOX")
      assert.strictEqual(first.upserts.length, 250)
      const second = yield* sync(provider, at("large"), "INBOX", first.cursor)
      assert.strictEqual(second.upserts.length, 50)
      assert.strictEqual(second.complete?.length, 300)
      const cursor = second.cursor!.replace(/"validity":"\d+"/, "\"validity\":\"1\"")
      assert.strictEqual((yield* sync(provider, at("large"), "INBOX", cursor)).upserts.length, 300)
    }))

  it.live("reaches back to the start, and lists older mails", () =>
    Effect.gen(function*() {
      yield* change("reach", async (client) => {
        await client.append("INBOX", mail("old"), [], new Date("2020-01-01"))
        await client.append("INBOX", mail("new"), [], new Date("2026-01-01"))
      })
      const { complete, upserts } = yield* sync(provider, at("reach"), "INBOX", null, new Date("2025-01-01"))
      assert.deepStrictEqual({ complete, upserts }, { complete: ["INBOX/1", "INBOX/2"], upserts: ["INBOX/2"] })
    }))

  it.live("is read at another address of its name if the first one does not answer", () =>
    Effect.gen(function*() {
      deliver(dovecot.folder, "two", [mail("x")])
      const twice = imap({ allowPrivateAddresses: true, resolve: async () => ["127.0.0.2", "127.0.0.1"] })
      assert.deepStrictEqual(yield* twice.resources({ ...at("two"), host: "two.example" }), ["INBOX"])
      const nowhere = yield* Effect.flip(twice.resources({ ...at("two"), host: "two.example", port: 1 }))
      assert.strictEqual(nowhere.message, "two.example cannot be reached: connect ECONNREFUSED 127.0.0.1:1.")
    }))

  it.live("reports a wrong password and a missing folder", () =>
    Effect.gen(function*() {
      const wrong = { ...at("ada"), password: Redacted.make("guess") }
      assert.strictEqual((yield* Effect.flip(sync(provider, wrong, "INBOX")))._tag, "CredentialsRefused")
      const gone = yield* Effect.flip(sync(provider, at("ada"), "Nowhere"))
      assert.strictEqual(gone._tag, "SourceGone", gone.message)
      const none = yield* Effect.flip(provider.resources({ ...at("ada"), folders: ["Nowhere"] }))
      assert.strictEqual(none._tag, "SourceGone")
    }))

  it.live("reports a new or deleted mail at once", () =>
    Effect.gen(function*() {
      yield* change("watched", (client) => client.append("INBOX", mail("first")))
      const changes = yield* Queue.unbounded<string>()
      const watch = yield* Effect.forkChild(
        Stream.runForEach(provider.changes!(at("watched"), ["INBOX"]), (folder) => Queue.offer(changes, folder))
      )
      yield* Queue.take(changes)
      yield* change("watched", (client) => client.append("INBOX", mail("another")))
      yield* Queue.take(changes)
      yield* change("watched", async (client) => {
        await client.mailboxOpen("INBOX")
        await client.messageDelete("1", { uid: true })
      })
      yield* Queue.take(changes)
      // There are as many again as there were.
      yield* change("watched", (client) => client.append("INBOX", mail("third")))
      yield* Queue.take(changes)
      yield* Fiber.interrupt(watch)
    }))

  it.live("is watched with one connection, which polls the other folders", () =>
    Effect.gen(function*() {
      yield* change("folders", async (client) => {
        for (const folder of ["Work", "Archive", "Gone"]) await client.mailboxCreate(folder)
        await client.append("Work", mail("first"))
      })
      let lines = 0
      const heard = (piece: Buffer) => void (piece.includes("AUTHENTICATE") && lines++)
      const port = yield* interposed(dovecot.port, (piece) => piece, heard)
      const watching = imap({ allowPrivateAddresses: ["127.0.0.1"], pollMillis: 20 })
      const changes = yield* Queue.unbounded<string>()
      const folders = ["Work", "INBOX", "Archive", "Gone"]
      const watch = yield* Effect.forkChild(
        Stream.runForEach(
          watching.changes!({ ...at("folders"), port }, folders),
          (folder) => Queue.offer(changes, folder)
        )
      )
      assert.strictEqual(yield* Queue.take(changes), "INBOX")
      yield* change("folders", (client) => client.append("Archive", mail("one")))
      assert.strictEqual(yield* Queue.take(changes), "Archive")
      yield* change("folders", (client) => client.append("INBOX", mail("two")))
      assert.strictEqual(yield* Queue.take(changes), "INBOX")
      yield* change("folders", async (client) => {
        await client.mailboxOpen("Work")
        await client.messageDelete("1", { uid: true })
      })
      assert.strictEqual(yield* Queue.take(changes), "Work")
      yield* change("folders", (client) => client.mailboxDelete("Gone"))
      assert.strictEqual(yield* Queue.take(changes), "Gone")
      yield* change("folders", (client) => client.append("INBOX", mail("three")))
      assert.strictEqual(yield* Queue.take(changes), "INBOX")
      assert.strictEqual(lines, 1)
      yield* Fiber.interrupt(watch)
    }))

  it.live("is watched at the first pulled folder if the inbox is excluded", () =>
    Effect.gen(function*() {
      yield* change("few", async (client) => {
        for (const folder of ["Work", "Archive"]) await client.mailboxCreate(folder)
      })
      const first = Stream.runHead(provider.changes!(at("few"), ["Work", "Archive"]))
      assert.deepStrictEqual(yield* first, Option.some("Work"))
    }))
})

const GREETING = "* OK [CAPABILITY IMAP4rev1] ready\r\n"

/** Answers each command as if it were done, but for what `lie` says about it. */
const lying = (lie: (command: string) => string | null) => (socket: Socket) => {
  socket.write(GREETING)
  socket.on("data", (data) => {
    for (const line of String(data).split("\r\n").filter((line) => line !== "")) {
      const [tag = "", command = ""] = line.split(" ")
      const isSelect = command === "EXAMINE"
      const untagged = command === "CAPABILITY"
        ? "* CAPABILITY IMAP4rev1\r\n"
        : isSelect
        ? "* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n"
        : ""
      socket.write(lie(line) ?? `${untagged}${tag} OK done\r\n`)
    }
  })
}

const atPassword = (answer: (socket: Socket, tag: string) => void) => (socket: Socket) => {
  socket.write("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n")
  socket.on("data", (data) => {
    const [tag = "", command = ""] = String(data).split(" ")
    if (command === "AUTHENTICATE") answer(socket, tag)
    else socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK done\r\n`)
  })
}

const searched = (line: string): string | null =>
  line.includes("SEARCH") ? `* SEARCH 1\r\n${line.split(" ")[0]} OK done\r\n` : null

const BAD_SERVERS: Readonly<Record<string, (socket: Socket) => void>> = {
  "never greets": () => undefined,
  "falls silent after its greeting": (socket) => void socket.write(GREETING),
  "cuts the connection": (socket) => void socket.end(),
  "cuts the connection at the password": atPassword((socket) => void socket.end()),
  "cannot check passwords now": atPassword((socket, tag) =>
    void socket.write(`${tag} NO [UNAVAILABLE] Temporary authentication failure.\r\n`)
  ),
  "does not understand how to sign in": atPassword((socket, tag) => void socket.write(`${tag} BAD Error\r\n`)),
  "sends garbage": (socket) => void socket.write("\x00\xff garbage\r\n".repeat(50)),
  "announces more than anyone sends": lying((line) =>
    line.includes("UID SEARCH") ? "* 1 FETCH (BODY[] {4000000000}\r\n" : null
  ),
  "ends in the middle of a mail": lying((line) =>
    line.includes("FETCH") ? "* 1 FETCH (UID 1 RFC822.SIZE 100 BODY[] {100}\r\nshort" : searched(line)
  )
}

describe("a mail server", () => {
  const impatient = imap({ allowPrivateAddresses: ["127.0.0.1"], timeoutMillis: 300 })
  for (const [what, serve] of Object.entries(BAD_SERVERS)) {
    it.live(`that ${what} is retried later`, () =>
      Effect.gen(function*() {
        const port = yield* badServer(serve)
        const failure = yield* Effect.flip(sync(impatient, login(port, "ada"), "INBOX"))
        assert.strictEqual(failure._tag, "RetryableFailure")
        assert.notInclude(failure.message, "secret")
      }))
  }

  it.live("that sends more than requested is disconnected before it fills the memory", () =>
    Effect.gen(function*() {
      const piece = `* 1 FETCH (UID 1 BODY[] {1000000}\r\n${"x".repeat(1_000_000)})\r\n`
      let pieces = 0
      const port = yield* badServer((socket) => {
        const send = () => {
          while (!socket.destroyed && pieces++ < 400 && socket.write(piece));
          if (pieces >= 400) socket.destroy()
          socket.once("drain", send)
        }
        lying((line) => {
          if (!line.includes("FETCH")) return searched(line)
          send()
          return ""
        })(socket)
      })
      const failure = yield* Effect.flip(sync(provider, login(port, "ada"), "INBOX"))
      assert.strictEqual(failure._tag, "RetryableFailure")
      assert.isBelow(pieces, 200)
    }))

  it.live("that is overloaded is retried when it asks for it", () =>
    Effect.gen(function*() {
      const slow = "Request is throttled. Suggested Backoff Time: 92415 milliseconds"
      const port = yield* badServer(
        lying((line) => line.includes("FETCH") ? `${line.split(" ")[0]} BAD ${slow}\r\n` : searched(line))
      )
      const failure = yield* Effect.flip(sync(provider, login(port, "ada"), "INBOX"))
      assert.deepInclude(failure, { _tag: "RetryableFailure", retry_after_seconds: 92.415 })
    }))

  for (const code of ["", "[AUTHENTICATIONFAILED] ", "[EXPIRED] "]) {
    it.live(`that answers NO ${code}to the password is distinguished from a failing one`, () =>
      Effect.gen(function*() {
        const port = yield* badServer(atPassword((socket, tag) => void socket.write(`${tag} NO ${code}denied\r\n`)))
        const failure = yield* Effect.flip(sync(provider, login(port, "ada"), "INBOX"))
        assert.strictEqual(failure._tag, "CredentialsRefused")
      }))
  }

  it("whose connection breaks during the login has not refused the password", () => {
    const cut = Object.assign(new Error("Connection not available"), {
      code: "NoConnection",
      authenticationFailed: true
    })
    assert.strictEqual(mailFailure(cut, "mail.example.org")._tag, "RetryableFailure")
  })

  it.live("is disconnected within seconds after an interruption", () =>
    Effect.gen(function*() {
      const port = yield* badServer(() => undefined)
      const patient = imap({ allowPrivateAddresses: ["127.0.0.1"], timeoutMillis: 60_000 })
      const started = Date.now()
      yield* Effect.timeoutOption(sync(patient, login(port, "ada"), "INBOX"), "200 millis")
      assert.isBelow(Date.now() - started, 20_000)
    }))

  it.live("is resolved again for each connection, and refused if its name leads to a private address", () =>
    Effect.gen(function*() {
      let reached = 0
      const port = yield* badServer((socket) => {
        reached++
        socket.end()
      })
      const answers = [["10.0.0.1", "127.0.0.1"], ["127.0.0.2"], ["10.0.0.1", "169.254.169.254"]]
      const guarded = imap({ allowPrivateAddresses: ["127.0.0.1"], resolve: async () => answers.shift() ?? [] })
      const config = { ...login(port, "ada"), host: "mail.example.org" }
      const failures = [yield* Effect.flip(guarded.resources(config))]
      while (answers.length > 0) failures.push(yield* Effect.flip(guarded.resources(config)))
      assert.deepStrictEqual(failures.map(({ _tag }) => _tag), ["RetryableFailure", "FatalFailure", "FatalFailure"])
      assert.strictEqual(reached, 1)
    }))

  it.effect("is not contacted at a private address", () =>
    Effect.gen(function*() {
      for (const host of ["127.0.0.1", "localhost", "2130706433", "::ffff:127.0.0.1", "169.254.169.254"]) {
        const failure = yield* Effect.flip(imap().resources({ ...login(1, "ada"), host }))
        assert.strictEqual(failure._tag, "FatalFailure", host)
      }
    }))
})
