/** The options of `tributary connect`, and the key that an embedded server keeps. */
import * as SecretBox from "@tributary/core/SecretBox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { configOf, fieldsOf, missingFrom } from "../src/commands/connect/fields.ts"
import type { Settings } from "../src/settings/Settings.ts"
import * as EncryptionKeys from "../src/storage/EncryptionKeys.ts"
import { Store } from "../src/storage/Store.ts"
import { command, IN_MEMORY } from "./serverProcess.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tributary-connect-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const FIELDS = fieldsOf({
  properties: {
    host: { type: "string" },
    port: { type: "integer" },
    use_tls: { type: "boolean" },
    folders: { type: "array" },
    password: { type: "string", writeOnly: true }
  },
  required: ["host", "password"]
})

describe("tributary connect", () => {
  it.effect("reads options as typed fields of the provider", () =>
    Effect.gen(function*() {
      const given = { "host": "mail.example", "port": "993", "use-tls": "true", "folders": "INBOX, Sent" }
      assert.deepStrictEqual(yield* configOf(undefined, given, FIELDS), {
        host: "mail.example",
        port: 993,
        use_tls: true,
        folders: ["INBOX", "Sent"]
      })
      assert.include(
        (yield* Effect.flip(configOf(undefined, { colour: "red" }, FIELDS))).message,
        "There is no option --colour."
      )
    }))

  it.effect("reads a secret from a file or a variable, and never from the command line", () =>
    Effect.gen(function*() {
      const path = join(yield* folder, "password")
      writeFileSync(path, "from a file\n")
      process.env["TRIBUTARY_TEST_PASSWORD"] = "from a variable"
      assert.deepStrictEqual(yield* configOf(undefined, { password: `file:${path}` }, FIELDS), {
        password: "from a file"
      })
      assert.deepStrictEqual(
        yield* configOf(undefined, { password: "env:TRIBUTARY_TEST_PASSWORD" }, FIELDS),
        { password: "from a variable" }
      )
      const refused = yield* Effect.flip(configOf(undefined, { password: "hunter2" }, FIELDS))
      assert.strictEqual(refused.exitCode, 2)
      assert.notInclude(refused.message, "hunter2")
      for (const password of ["env:TRIBUTARY_NO_SUCH", `file:${path}x`]) {
        assert.strictEqual((yield* Effect.flip(configOf(undefined, { password }, FIELDS))).exitCode, 1)
      }
    }))

  it("asks a person for the password of a user name, unless another secret is given in its place", () => {
    const optional = fieldsOf({
      properties: {
        host: { type: "string" },
        username: { type: "string" },
        password: { type: "string", writeOnly: true },
        refresh_token: { type: "string", writeOnly: true }
      },
      required: ["host"]
    })
    const missing = (config: object, isPerson = true) =>
      missingFrom(config as Record<string, unknown>, optional, isPerson).map(({ name }) => name)
    assert.deepStrictEqual(missing({}), ["host"])
    assert.deepStrictEqual(missing({ host: "h" }), [])
    assert.deepStrictEqual(missing({ host: "h", username: "ada" }), ["password"])
    assert.deepStrictEqual(missing({ host: "h", username: "ada" }, false), [])
    assert.deepStrictEqual(missing({ host: "h", username: "ada", refresh_token: "r" }), [])
  })

  it("refuses unknown options, and lists the valid ones", async () => {
    const help = await command(["connect", "--help"], IN_MEMORY)
    assert.include(help.stdout, "--NAME VALUE")
    const refused = await command(["connections", "list", "--host", "x"], IN_MEMORY)
    assert.strictEqual(refused.code, 2)
  })
})

describe("the key of an embedded store", () => {
  const layerOf = (settings: object) =>
    EncryptionKeys.layer(settings as Settings).pipe(Layer.provide(Layer.mock(Store, { place: "here" })))

  const sealed = (settings: object, text: string) =>
    Effect.provide(Effect.flatMap(SecretBox.SecretBox, (box) => box.seal(Redacted.make(text), "p")), layerOf(settings))
  const opened = (settings: object, text: string) =>
    Effect.provide(Effect.flatMap(SecretBox.SecretBox, (box) => box.open(text, "p")), layerOf(settings))

  it.effect("is created once, and found again", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const settings = { storage: { kind: "embedded", directory }, encryptionKeys: Option.none() }
      const text = yield* sealed(settings, "a secret")
      assert.strictEqual(Redacted.value((yield* opened(settings, text)).text), "a secret")
      writeFileSync(join(directory, "encryption.key"), "no key")
      assert.deepInclude(yield* Effect.flip(sealed(settings, "x")), { _tag: "UsageError", exitCode: 1 })
    }))

  it.effect("yields to configured keys, and does not exist on Postgres", () =>
    Effect.gen(function*() {
      const keys = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64")).join(", ")
      const set = { storage: { kind: "postgres" }, encryptionKeys: Option.some(Redacted.make(keys)) }
      assert.strictEqual(Redacted.value((yield* opened(set, yield* sealed(set, "a secret"))).text), "a secret")
      const unset = { storage: { kind: "postgres" }, encryptionKeys: Option.none() }
      assert.include((yield* Effect.flip(sealed(unset, "x"))).message, "TRIBUTARY_ENCRYPTION_KEYS")
    }))
})
