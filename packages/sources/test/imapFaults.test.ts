/** What goes wrong between a real mail server and here, and mails that are unlike others. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { imap } from "@tributary/sources/Imap"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { afterAll, beforeAll } from "vitest"
import { type MailReader, makeMailReaders } from "../src/internal/imap/MailReader.ts"
import { ReaderThreads } from "../src/internal/ReaderThread.ts"
import { fileOf, itemOf, sync } from "./support/collect.ts"
import { deliver, login, startDovecot, withMailbox } from "./support/dovecot.ts"
import { interposed } from "./support/interposed.ts"
import { describeWith } from "./support/describeWith.ts"
import { run, type Running } from "./support/programs.ts"

const LOCAL = { allowPrivateAddresses: ["127.0.0.1"] }

const mail = (number: number, text = `Text ${number}.`) =>
  [
    "From: ada@example.org",
    `Subject: mail ${number}`,
    `Message-ID: <${number}@example.org>`,
    ...(number === 0 ? [] : [`In-Reply-To: <${number - 1}@example.org>`]),
    "",
    text
  ].join("\r\n")

const attached = (name: string, type: string, bytes: Uint8Array) =>
  [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(bytes).toString("base64").replace(/.{76}/g, "$&\r\n")
  ].join("\r\n")

const withFiles = (...files: ReadonlyArray<string>) =>
  [
    "From: ada@example.org",
    "Subject: files",
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=cut",
    "",
    "--cut",
    "Content-Type: text/plain",
    "",
    "See attached.",
    ...files.map((file) => `--cut\r\n${file}`),
    "--cut--"
  ].join("\r\n")

const SPOILED: Readonly<Record<string, (piece: Buffer, before: number, client: Socket) => Buffer | null>> = {
  "is cut": (piece, before, client) => {
    if (before + piece.length < 60_000) return piece
    client.destroy()
    return null
  },
  "falls silent": (piece, before) => before + piece.length < 60_000 ? piece : null,
  "turns to garbage": (piece, before) => before < 60_000 ? piece : Buffer.from(piece.map((byte) => byte ^ 0x55)),
  "lies about lengths": (piece) =>
    Buffer.from(piece.toString("latin1").replace(/BODY\[\]<0> \{/g, "BODY[]<0> {9"), "latin1")
}

/** Readers of which each is what `changed` makes of it. */
const withReader = (changed: (real: MailReader) => MailReader, readers = makeMailReaders()) => ({
  stream: <A>(work: (reader: MailReader) => AsyncGenerator<A>) => readers.stream((reader) => work(changed(reader)))
})

describeWith(["dovecot"], "a mailbox", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot?.stop())
  const at = (user: string, port = dovecot.port) => login(port, user)
  const provider = imap(LOCAL)
  const change = <A>(user: string, use: Parameters<typeof withMailbox<A>>[2]) =>
    Effect.promise(() => withMailbox(dovecot.port, user, use))

  for (const [what, spoil] of Object.entries(SPOILED)) {
    it.live(`whose connection ${what} within a mail is retried later, without a missing mail`, () =>
      Effect.gen(function*() {
        const user = what.replaceAll(" ", "-")
        deliver(dovecot.folder, user, Array.from({ length: 300 }, (_, number) => mail(number, "text ".repeat(60))))
        const port = yield* interposed(dovecot.port, spoil)
        let cursor: string | null = null
        const upserts: Array<string> = []
        const failure = yield* Effect.flip(
          imap({ ...LOCAL, timeoutMillis: 500 }).sync({
            config: at(user, port),
            resource: "INBOX",
            cursor,
            since: null
          })
            .pipe(Stream.runForEach((step) =>
              Effect.sync(() => {
                if (step._tag === "Upsert") upserts.push(step.item.external_id)
                if (step._tag === "Checkpoint") cursor = step.cursor
              })
            ))
        )
        assert.strictEqual(failure._tag, "RetryableFailure")
        assert.notInclude(failure.message, "secret")
        const rest = yield* sync(provider, at(user), "INBOX", cursor)
        assert.strictEqual(new Set([...upserts, ...rest.upserts]).size, 300)
        assert.strictEqual(rest.complete?.length, 300)
      }))
  }

  it.live("that was recreated is read again", () =>
    Effect.gen(function*() {
      yield* change("reset", async (client) => {
        await client.mailboxCreate("Work")
        for (const number of [1, 2]) await client.append("Work", mail(number))
      })
      const first = yield* sync(provider, at("reset"), "Work")
      yield* change("reset", async (client) => {
        await client.mailboxDelete("Work")
        await client.mailboxCreate("Work")
        for (const number of [3, 4]) await client.append("Work", mail(number))
      })
      const second = yield* sync(provider, at("reset"), "Work", first.cursor)
      assert.deepStrictEqual(second.upserts, ["Work/1", "Work/2"])
      assert.deepInclude(itemOf(second, "Work/1")?.payload, { subject: "mail 3", thread_id: "<2@example.org>" })
    }))

  it.live("returns long mails completely, and reports those that are too long", () =>
    Effect.gen(function*() {
      const long = Array.from({ length: 40_000 }, (_, number) => `line ${number}`).join("\r\n")
      deliver(dovecot.folder, "long", [
        mail(0, long),
        mail(1),
        mail(2, "too long\r\n".repeat(3_400_000)),
        mail(3, long)
      ])
      const found = yield* sync(provider, at("long"), "INBOX")
      assert.deepStrictEqual(found.skipped, ["INBOX/3"])
      assert.deepStrictEqual(found.upserts, ["INBOX/1", "INBOX/2", "INBOX/4"])
      for (const id of ["INBOX/1", "INBOX/4"]) {
        assert.strictEqual(itemOf(found, id)?.payload?.["body"], `${long.replaceAll("\r\n", "\n")}\n`)
      }
    }))

  it.live("returns the parts before and between pictures, without fetching those at the end", () =>
    Effect.gen(function*() {
      const photo = attached("a.jpg", "image/jpeg", Buffer.alloc(120_000, "a picture"))
      const sound = attached("a.mp3", "audio/mpeg", Buffer.alloc(120_000, "a picture"))
      const list = attached("a.csv", "text/csv", Buffer.from("name,count\n".repeat(9_000)))
      const forwarded = `Content-Type: message/rfc822\r\n\r\n${mail(1, "Forwarded.")}`
      deliver(dovecot.folder, "pictures", [
        withFiles(photo, sound, photo),
        withFiles(photo, list, photo),
        withFiles(photo, forwarded),
        withFiles(list, photo)
      ])
      let bytes = 0
      const port = yield* interposed(dovecot.port, (piece) => {
        bytes += piece.length
        return piece
      })
      const found = yield* sync(provider, at("pictures", port), "INBOX")
      assert.deepStrictEqual(found.upserts, ["INBOX/1", "INBOX/2", "INBOX/2.1", "INBOX/3", "INBOX/4", "INBOX/4.1"])
      for (const number of [1, 2, 3, 4]) {
        assert.match(String(itemOf(found, `INBOX/${number}`)?.payload?.["body"]), /^See attached\./)
      }
      assert.match(String(itemOf(found, "INBOX/3")?.payload?.["body"]), /Forwarded\./)
      for (const id of ["INBOX/2.1", "INBOX/4.1"]) {
        assert.strictEqual(Buffer.from(fileOf(found, id).bytes).toString(), "name,count\n".repeat(9_000))
      }
      // They have 1.4 MB, of which 400 kB are what follows the beginning of the first.
      assert.isBelow(bytes, 1_000_000)
    }))

  it.live("loses no other mail to one that is too large", () =>
    Effect.gen(function*() {
      deliver(dovecot.folder, "hostile", [mail(0), mail(1), mail(2)])
      const isHostile = ({ id }: { readonly id: string }) => id === "INBOX/2"
      const hindered = (real: MailReader): MailReader => ({
        ...real,
        read: async (mails, handOver) => mails.some(isHostile) ? null : real.read(mails, handOver)
      })
      const found = yield* sync(imap(LOCAL, withReader(hindered)), at("hostile"), "INBOX")
      assert.deepStrictEqual(found.upserts, ["INBOX/1", "INBOX/3"])
      assert.deepStrictEqual(found.skipped, ["INBOX/2"])
      assert.deepStrictEqual(found.complete, ["INBOX/1", "INBOX/2", "INBOX/3"])
    }))

  it.live("is read while the mails of another one take as long as they may", () =>
    Effect.gen(function*() {
      deliver(dovecot.folder, "endless", [mail(0, "works forever")])
      deliver(dovecot.folder, "patient", [mail(0)])
      const threads = new URL("./support/endlessMailReader.ts", import.meta.url)
      const isReading = yield* Deferred.make<void>()
      let isOver = false
      const used: Array<MailReader> = []
      const noticed = (real: MailReader): MailReader => ({
        ...real,
        read: async (mails, handOver) => {
          used.push(real)
          const answer = real.read(mails, handOver)
          Deferred.doneUnsafe(isReading, Effect.void)
          if (await answer === null) isOver = true
          return answer
        }
      })
      const provider = imap(LOCAL, withReader(noticed, new ReaderThreads(threads, 20_000)))
      const endless = yield* Effect.forkScoped(sync(provider, at("endless"), "INBOX"))
      yield* Deferred.await(isReading)
      assert.deepStrictEqual((yield* sync(provider, at("patient"), "INBOX")).upserts, ["INBOX/1"])
      assert.isFalse(isOver)
      yield* Fiber.interrupt(endless)
      yield* Effect.promise(() => Promise.all(used.map((reader) => reader.end())))
    }).pipe(Effect.scoped))

  it.live("may be read at any speed", () =>
    Effect.gen(function*() {
      deliver(dovecot.folder, "slow", Array.from({ length: 600 }, (_, number) => mail(number)))
      const kept = yield* Queue.unbounded<void>()
      const heard = (piece: Buffer) => void (piece.includes("NOOP") && Queue.offerUnsafe(kept, undefined))
      const port = yield* interposed(dovecot.port, (piece) => piece, heard)
      let upserts = 0
      yield* imap({ ...LOCAL, timeoutMillis: 10_000 }).sync({
        config: at("slow", port),
        resource: "INBOX",
        cursor: null,
        since: null
      }).pipe(
        Stream.runForEach((step) => {
          if (step._tag === "Upsert") upserts++
          // The line has been silent for as long as it may be, and was kept open.
          return upserts === 250 && step._tag === "Checkpoint" ? Queue.take(kept) : Effect.void
        })
      )
      assert.strictEqual(upserts, 600)
    }))
})

describeWith(["dovecot", "pandoc"], "a mailbox with documents", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot?.stop())

  it.live("returns them byte by byte", () =>
    Effect.gen(function*() {
      const folder = mkdtempSync(join(tmpdir(), "tributary-letters-"))
      run("pandoc", ["-f", "markdown", "-o", join(folder, "a.docx")], { input: "# Letter\n\nText.\n" })
      const docx = readFileSync(join(folder, "a.docx"))
      rmSync(folder, { recursive: true })
      const pdf = Buffer.concat([Buffer.from("%PDF-1.4\n"), crypto.getRandomValues(Buffer.alloc(200_000 / 4))])
      const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      const mails = [withFiles(attached("a.docx", word, docx), attached("a.pdf", "application/pdf", pdf))]
      deliver(dovecot.folder, "ada", mails)
      const found = yield* sync(imap(LOCAL), login(dovecot.port, "ada"), "INBOX")
      assert.deepStrictEqual(found.upserts, ["INBOX/1", "INBOX/1.1", "INBOX/1.2"])
      assert.isTrue(docx.equals(fileOf(found, "INBOX/1.1").bytes))
      assert.isTrue(pdf.equals(fileOf(found, "INBOX/1.2").bytes))
      assert.deepInclude(fileOf(found, "INBOX/1.1"), { name: "a.docx", contentType: word })
    }))
})
