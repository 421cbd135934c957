/** Connections that are encrypted, to servers whose certificate is trusted, and to those whose is not. */
import { mkdirSync, writeFileSync } from "node:fs"
import type { Socket } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { git } from "@tributary/sources/Git"
import { imap } from "@tributary/sources/Imap"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { badServer } from "./support/badServers.ts"
import { trust } from "./support/certificates.ts"
import { sync } from "./support/collect.ts"
import { deliver, startDovecot } from "./support/dovecot.ts"
import { startNginx } from "./support/nginx.ts"
import { describeWith } from "./support/describeWith.ts"
import { run, type Running } from "./support/programs.ts"
import { request, startRadicale } from "./support/radicale.ts"

const LOCAL = { allowPrivateAddresses: ["127.0.0.1"] }

const NOT_TRUSTED = /^localhost:?\d* shows a certificate that is not trusted: /

const MAIL = "From: ada@example.org\r\nSubject: sealed\r\n\r\nText\r\n"

const EVENT = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//test//EN",
  "BEGIN:VEVENT",
  "UID:sealed",
  "DTSTART:20260302T100000Z",
  "SUMMARY:Sealed",
  "END:VEVENT",
  "END:VCALENDAR",
  ""
].join("\r\n")

describeWith(["dovecot", "openssl"], "an encrypted mailbox", () => {
  let dovecot: Awaited<ReturnType<typeof startDovecot>>
  const provider = imap(LOCAL)
  beforeAll(async () => {
    dovecot = await startDovecot()
    deliver(dovecot.folder, "ada", [MAIL])
  })
  afterAll(() => dovecot?.stop())
  const at = (security: "tls" | "starttls") => ({
    host: "localhost",
    port: security === "tls" ? dovecot.tlsPort : dovecot.port,
    security,
    username: "ada",
    password: Redacted.make("secret")
  })

  for (const security of ["tls", "starttls"] as const) {
    it.live(`is read by ${security} only if the certificate's authority is trusted`, () =>
      Effect.gen(function*() {
        const refused = yield* Effect.flip(sync(provider, at(security), "INBOX"))
        assert.strictEqual(refused._tag, "RetryableFailure")
        assert.match(refused.message, NOT_TRUSTED)
        const untrust = trust(dovecot.issued)
        try {
          assert.deepStrictEqual((yield* sync(provider, at(security), "INBOX")).upserts, ["INBOX/1"])
        } finally {
          untrust()
        }
      }))
  }

  it.live("is not read if its certificate has another name", () =>
    Effect.gen(function*() {
      const untrust = trust(dovecot.issued)
      try {
        const elsewhere = imap({ ...LOCAL, resolve: async () => ["127.0.0.1"] })
        const refused = yield* Effect.flip(sync(elsewhere, { ...at("tls"), host: "mail.example.org" }, "INBOX"))
        assert.match(refused.message, /^mail\.example\.org shows a certificate that is not trusted: /)
      } finally {
        untrust()
      }
    }))
})

describe("a mail server that offers no encryption", () => {
  it.live("gets no password if encryption is required", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const serve = (socket: Socket) => {
        socket.write("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN LOGIN] ready\r\n")
        socket.on("data", (data) => {
          heard.push(String(data))
          const [tag = ""] = String(data).split(" ")
          socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK done\r\n`)
        })
      }
      const port = yield* badServer(serve)
      const config = { host: "127.0.0.1", port, username: "ada", password: Redacted.make("secret") }
      for (const security of ["starttls", "tls"] as const) {
        const failure = yield* Effect.flip(
          sync(imap({ ...LOCAL, timeoutMillis: security === "tls" ? 1_000 : 60_000 }), { ...config, security }, "INBOX")
        )
        assert.strictEqual(failure._tag, "RetryableFailure")
        assert.match(failure.message, security === "starttls" ? /STARTTLS/ : /./)
      }
      assert.notMatch(heard.join(), /LOGIN|AUTHENTICATE|secret|c2VjcmV0/)
    }))
})

describeWith(["nginx", "fcgiwrap", "openssl"], "an encrypted web server", () => {
  let nginx: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    nginx = await startNginx()
    mkdirSync(join(nginx.folder, "www"), { recursive: true })
    writeFileSync(
      join(nginx.folder, "www/a.rss"),
      "<rss version=\"2.0\"><channel><item><guid>1</guid></item></channel></rss>"
    )
    writeFileSync(
      join(nginx.folder, "www/a.ics"),
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nEND:VCALENDAR\r\n"
    )
  })
  afterAll(() => nginx?.stop())
  const resources = (kind: string) => {
    const url = `https://localhost:${nginx.tlsPort}/a.${kind}`
    return kind === "rss" ? feed(LOCAL).resources({ url }) : caldav(LOCAL).resources({ url })
  }

  for (const [kind, what] of Object.entries({ rss: "feed", ics: "calendar" })) {
    it.live(`returns a ${what} only if the certificate's authority is trusted`, () =>
      Effect.gen(function*() {
        const refused = yield* Effect.flip(resources(kind))
        assert.strictEqual(refused._tag, "RetryableFailure")
        assert.match(refused.message, NOT_TRUSTED)
        const untrust = trust(nginx.issued)
        try {
          assert.strictEqual((yield* resources(kind)).length, 1)
        } finally {
          untrust()
        }
      }))
  }
})

describeWith(["nginx", "fcgiwrap", "openssl", "git"], "an encrypted repository", () => {
  let nginx: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    nginx = await startNginx()
    const repository = join(nginx.folder, "git/sealed")
    mkdirSync(repository)
    writeFileSync(join(repository, "a.txt"), "sealed")
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repository })
    run("git", ["add", "--all"], { cwd: repository })
    run("git", [...who, "commit", "--quiet", "--message", "one"], { cwd: repository })
  })
  afterAll(() => nginx?.stop())
  const made = (network: object = LOCAL) => git({ ...LOCAL, ...network, cacheDirectory: join(nginx.folder, "cache") })
  const at = (host: string) => ({ repository: `https://${host}:${nginx.tlsPort}/git/sealed/.git` })

  it.live("is listed and fetched only if the certificate's authority is trusted", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(sync(made(), at("localhost"), "main"))
      assert.strictEqual(refused._tag, "RetryableFailure")
      assert.match(refused.message, NOT_TRUSTED)
      const untrust = trust(nginx.issued)
      try {
        assert.deepStrictEqual(yield* made().resources(at("localhost")), ["main"])
        assert.deepStrictEqual((yield* sync(made(), at("localhost"), "main")).upserts, ["main/a.txt"])
      } finally {
        untrust()
      }
    }))

  it.live("is not fetched if its certificate has another name", () =>
    Effect.gen(function*() {
      const untrust = trust(nginx.issued)
      try {
        const elsewhere = made({ resolve: async () => ["127.0.0.1"] })
        const refused = yield* Effect.flip(sync(elsewhere, at("git.example.org"), "main"))
        assert.match(refused.message, /^git\.example\.org:\d+ shows a certificate that is not trusted: /)
      } finally {
        untrust()
      }
    }))
})

describeWith(["nginx", "fcgiwrap", "openssl", "radicale"], "an encrypted calendar server", () => {
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let radicale: Running
  beforeAll(async () => {
    radicale = await startRadicale()
    nginx = await startNginx(radicale.port)
    await request(radicale.port, "PUT", "/ada/work/", EVENT)
  })
  afterAll(async () => {
    await nginx?.stop()
    await radicale?.stop()
  })

  it.live("is read only if the certificate's authority is trusted", () =>
    Effect.gen(function*() {
      const config = {
        url: `https://localhost:${nginx.tlsPort}/ada/`,
        username: "ada",
        password: Redacted.make("secret")
      }
      const refused = yield* Effect.flip(sync(caldav(LOCAL), config, "work"))
      assert.strictEqual(refused._tag, "RetryableFailure")
      assert.match(refused.message, NOT_TRUSTED)
      const untrust = trust(nginx.issued)
      try {
        const first = yield* sync(caldav(LOCAL), config, "work")
        assert.deepStrictEqual(first.upserts, ["work/sealed.ics"])
        assert.deepStrictEqual((yield* sync(caldav(LOCAL), config, "work", first.cursor)).upserts, [])
      } finally {
        untrust()
      }
    }))
})
