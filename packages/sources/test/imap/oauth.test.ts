/** Mail servers that take access tokens instead of passwords. */
import { assert, describe, it } from "@effect/vitest"
import { ReplaceSecret, secretFields } from "@tributary/core/ports/Provider"
import { imap } from "@tributary/sources/Imap"
import { Effect, Redacted, Schema } from "effect"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { itemOf, sync } from "../support/collect.ts"
import { deliver, startDovecot, withMailbox } from "../support/dovecot.ts"
import { describeWith } from "../support/describeWith.ts"
import type { Running } from "../support/programs.ts"
import { startTokenServer, type TokenServer } from "../support/tokenServer.ts"

const LOCAL = { allowPrivateAddresses: ["127.0.0.1"] }

const MAIL = "From: ada@example.org\r\nSubject: One\r\n\r\nAbout one."

let tokens: TokenServer
beforeAll(async () => {
  tokens = await startTokenServer()
})
afterAll(() => tokens.stop())
beforeEach(() => {
  tokens.refreshTokens.clear()
  tokens.accessTokens.clear()
  tokens.forms.length = 0
  tokens.expiresIn = 3_600
  tokens.broken = undefined
})

/** A configuration with a refresh token of this user. */
const granted = (port: number, username: string) => {
  tokens.refreshTokens.set(`first of ${username}`, username)
  return {
    host: "127.0.0.1",
    port,
    security: "none" as const,
    username,
    oauth_token_url: tokens.url,
    oauth_client_id: "tributary",
    oauth_client_secret: Redacted.make("of the client"),
    oauth_refresh_token: Redacted.make(`first of ${username}`),
    oauth_scope: "imap offline_access"
  }
}

/** What a service does that stores the connection. */
const stored = () => {
  let value: Redacted.Redacted | undefined
  const replace: ReplaceSecret = (_field, known, use) =>
    Effect.map(Effect.suspend(() => use(value ?? known)), ([result, next]) => {
      value = next
      return result
    })
  return {
    value: () => value === undefined ? null : Redacted.value(value),
    replacing: Effect.provideService(ReplaceSecret, replace)
  }
}

describeWith(["dovecot"], "a mailbox that takes access tokens", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot({ mechanisms: "oauthbearer", introspectionUrl: tokens.introspectionUrl })
  })
  afterAll(() => dovecot?.stop())

  it.live("is read with one token until it expires, also when several folders are", () =>
    Effect.gen(function*() {
      const provider = imap(LOCAL)
      deliver(dovecot.folder, "ada", [MAIL])
      yield* Effect.promise(() => withMailbox(dovecot.port, "ada", (client) => client.mailboxCreate("Archive")))
      const config = granted(dovecot.port, "ada")
      const { replacing, value } = stored()
      const read = Effect.all([
        provider.resources(config),
        sync(provider, config, "INBOX"),
        sync(provider, config, "Archive")
      ], { concurrency: "unbounded" })
      const [resources, inbox] = yield* replacing(read)
      assert.deepStrictEqual(resources, ["INBOX", "Archive"])
      assert.deepInclude(itemOf(inbox, "INBOX/1")?.payload, { subject: "One" })
      yield* replacing(sync(provider, config, "INBOX"))
      assert.deepStrictEqual(tokens.forms, [{
        grant_type: "refresh_token",
        refresh_token: "first of ada",
        client_id: "tributary",
        client_secret: "of the client",
        scope: "imap offline_access"
      }])
      assert.deepStrictEqual([...tokens.refreshTokens.keys()], [value()])
    }))

  it.live("is read with a new token after the end of the previous one, by the latest refresh token", () =>
    Effect.gen(function*() {
      const provider = imap(LOCAL)
      deliver(dovecot.folder, "bea", [MAIL])
      tokens.expiresIn = 0
      const config = granted(dovecot.port, "bea")
      const { replacing, value } = stored()
      for (let count = 1; count <= 3; count++) {
        const before = value()
        assert.deepStrictEqual((yield* replacing(sync(provider, config, "INBOX"))).upserts, ["INBOX/1"])
        assert.strictEqual(tokens.forms.length, count)
        assert.strictEqual(tokens.forms.at(-1)!["refresh_token"], before ?? "first of bea")
      }
      assert.isTrue(tokens.refreshTokens.has(value()!))
    }))

  it.live("is read with a new token if the server refuses the one that is kept", () =>
    Effect.gen(function*() {
      const provider = imap(LOCAL)
      deliver(dovecot.folder, "cay", [MAIL])
      const config = granted(dovecot.port, "cay")
      const { replacing } = stored()
      yield* replacing(sync(provider, config, "INBOX"))
      tokens.accessTokens.clear()
      assert.deepStrictEqual((yield* replacing(sync(provider, config, "INBOX"))).upserts, ["INBOX/1"])
      assert.strictEqual(tokens.forms.length, 2)
    }))

  it.live("is not read with the token of another connection or user", () =>
    Effect.gen(function*() {
      const provider = imap(LOCAL)
      const { replacing } = stored()
      const config = granted(dovecot.port, "dan")
      yield* replacing(provider.resources(config))
      const refused = yield* Effect.flip(
        provider.resources({ ...config, oauth_refresh_token: Redacted.make("a guess") })
      )
      assert.strictEqual(refused._tag, "CredentialsRefused")
      const other = yield* Effect.flip(replacing(provider.resources({ ...config, username: "ada" })))
      assert.deepInclude(other, {
        _tag: "CredentialsRefused",
        message: "127.0.0.1 refuses the access token of this user."
      })
    }))

  it.live("is not one that offers only passwords, which fails for good", () =>
    Effect.gen(function*() {
      const plain = yield* Effect.acquireRelease(
        Effect.promise(() => startDovecot()),
        (plain) => Effect.promise(() => plain.stop())
      )
      const failure = yield* Effect.flip(imap(LOCAL).resources(granted(plain.port, "ada")))
      assert.deepInclude(failure, {
        _tag: "FatalFailure",
        message: "127.0.0.1 offers no way to log in with the access token of this user."
      })
    }))
})

describeWith(["dovecot"], "a mailbox that takes access tokens by XOAUTH2 only, as Microsoft's do", () => {
  let dovecot: Running
  beforeAll(async () => {
    dovecot = await startDovecot({ mechanisms: "xoauth2", introspectionUrl: tokens.introspectionUrl })
  })
  afterAll(() => dovecot?.stop())

  it.live("is read, and refuses a token that has ended", () =>
    Effect.gen(function*() {
      const provider = imap(LOCAL)
      deliver(dovecot.folder, "eve", [MAIL])
      const config = granted(dovecot.port, "eve")
      const { replacing } = stored()
      assert.deepStrictEqual((yield* replacing(sync(provider, config, "INBOX"))).upserts, ["INBOX/1"])
      tokens.accessTokens.clear()
      tokens.refreshTokens.clear()
      const ended = yield* Effect.flip(replacing(sync(provider, config, "INBOX")))
      assert.strictEqual(ended._tag, "CredentialsRefused")
    }))
})

describe("a token server", () => {
  // No mail server is asked before there is a token.
  const failure = Effect.suspend(() => Effect.flip(imap(LOCAL).resources(granted(1, "ada"))))

  it.live("that has ended the access refuses the credentials, and the message has no secret", () =>
    Effect.gen(function*() {
      const config = granted(1, "ada")
      tokens.refreshTokens.clear()
      const ended = yield* Effect.flip(imap(LOCAL).resources(config))
      assert.strictEqual(ended._tag, "CredentialsRefused")
      assert.match(
        ended.message,
        /^127\.0\.0\.1:\d+ has ended the access \(invalid_grant\): enter a new refresh token\. It says: The account has changed\.$/
      )
      const wrong = { ...config, oauth_client_secret: Redacted.make("hunter2") }
      const refused = yield* Effect.flip(imap(LOCAL).resources(wrong))
      assert.strictEqual(refused._tag, "CredentialsRefused")
      assert.match(refused.message, /refuses to renew the access \(invalid_client\)\.$/)
    }))

  it.live("that is overloaded or broken is asked again, when it says", () =>
    Effect.gen(function*() {
      for (const status of [429, 503]) {
        tokens.broken = (answer) => answer.writeHead(status, { "retry-after": "7" }).end()
        assert.deepInclude(yield* failure, { _tag: "RetryableFailure", retry_after_seconds: 7 })
      }
      tokens.broken = (answer) => answer.destroy()
      assert.strictEqual((yield* failure)._tag, "RetryableFailure")
      tokens.broken = (answer) => answer.writeHead(400).end(`{"error":"temporarily_unavailable"}`)
      assert.strictEqual((yield* failure)._tag, "RetryableFailure")
    }))

  it.live("that answers with something else, or redirects the secrets, fails for good", () =>
    Effect.gen(function*() {
      for (const [status, body] of [[200, "<html>"], [200, "{}"], [400, "<html>"], [404, ""]] as const) {
        tokens.broken = (answer) => answer.writeHead(status).end(body)
        assert.include(["FatalFailure", "SourceGone"], (yield* failure)._tag)
      }
      tokens.forms.length = 0
      tokens.broken = (answer) => answer.writeHead(307, { location: "/token" }).end()
      assert.strictEqual((yield* failure)._tag, "FatalFailure")
      assert.strictEqual(tokens.forms.length, 1)
    }))

  it.live("at a private address is not asked unless the operator allows it", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(imap().resources({ ...granted(1, "ada"), host: "1.1.1.1" }))
      assert.deepInclude(refused, { _tag: "FatalFailure" })
      assert.include(refused.message, "private or reserved")
      assert.deepStrictEqual(tokens.forms, [])
    }))
})

describe("the configuration of a mailbox", () => {
  const { config, ...rest } = imap()
  const problems = (fields: object) =>
    Effect.map(
      Effect.result(Schema.decodeUnknownEffect(config)({ host: "h", username: "u", ...fields }, { errors: "all" })),
      (result) => result._tag === "Failure" ? result.failure.message : "none"
    )

  it.effect("has a password or a grant, and not half of one", () =>
    Effect.gen(function*() {
      const grant = { oauth_token_url: "https://t.example/token", oauth_client_id: "c", oauth_refresh_token: "r" }
      assert.strictEqual(yield* problems({ password: "p" }), "none")
      assert.strictEqual(yield* problems(grant), "none")
      assert.include(yield* problems({}), `["password"]`)
      assert.include(yield* problems({ ...grant, password: "p" }), `["password"]`)
      const half = yield* problems({ oauth_client_id: "c" })
      assert.include(half, `["oauth_token_url"]`)
      assert.include(half, `["oauth_refresh_token"]`)
      assert.notInclude(half, "password")
      assert.include(yield* problems({ ...grant, oauth_token_url: "ftp://t.example" }), `["oauth_token_url"]`)
    }))

  it("keeps all that gives access secret", () => {
    assert.deepStrictEqual([...secretFields({ config, ...rest }).keys()], [
      "password",
      "oauth_client_secret",
      "oauth_refresh_token"
    ])
  })
})
