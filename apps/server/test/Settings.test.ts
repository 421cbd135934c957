import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { memoryLimit } from "@tributary/node/memoryLimit"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { load } from "../src/settings/Settings.ts"
import { optionsOf } from "../src/settings/TelemetrySettings.ts"
import { unknownSettings } from "../src/settings/unknownSettings.ts"
import { unusedSettings } from "../src/settings/unusedSettings.ts"

const loadFrom = (env: Record<string, string>) =>
  load.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))

describe("Settings", () => {
  it.effect("has the defaults without variables, or with empty ones", () =>
    Effect.gen(function*() {
      const settings = yield* loadFrom({})
      assert.deepStrictEqual(settings, yield* loadFrom({ TRIBUTARY_PORT: "", TRIBUTARY_ADMIN_TOKEN: "" }))
      assert.deepStrictEqual(settings, {
        port: 8787,
        host: "127.0.0.1",
        baseUrl: Option.none(),
        storage: { kind: "embedded", directory: ".tributary", fsync: true },
        memoryMegabytes: Math.min(2_048, Math.floor(memoryLimit() / 4_000_000)),
        adminToken: Option.none(),
        encryptionKeys: Option.none(),
        fileRoots: [],
        allowPrivateAddresses: false,
        trustedProxies: [],
        connectionsPerAddress: 2048,
        metrics: true,
        mcp: true,
        questionLog: true,
        provider: null,
        answers: null,
        embeddings: null,
        reranker: null,
        telemetry: null,
        url: Option.none(),
        key: Option.none(),
        logFormat: Option.none(),
        logLevel: "Info"
      })
    }))

  it.effect("reads set variables", () =>
    Effect.gen(function*() {
      const settings = yield* loadFrom({
        TRIBUTARY_PORT: "0",
        TRIBUTARY_BASE_URL: "https://example.com/knowledge/",
        TRIBUTARY_ADMIN_TOKEN: "0123456789abcdef01234567",
        TRIBUTARY_LOG_LEVEL: "warn"
      })
      assert.strictEqual(settings.port, 0)
      assert.deepStrictEqual(settings.baseUrl, Option.some("https://example.com/knowledge"))
      assert.strictEqual(settings.logLevel, "Warn")
      assert.notInclude(String(settings.adminToken), "0123456789abcdef")
      assert.strictEqual(Redacted.value(Option.getOrThrow(settings.adminToken)), "0123456789abcdef01234567")
    }))

  it.effect("takes the port that Kubernetes sets beside a service of the name for none", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* loadFrom({ TRIBUTARY_PORT: "tcp://10.96.0.12:80" })).port, 8787)
    }))

  it.effect("allows all private addresses, or named networks", () =>
    Effect.gen(function*() {
      for (
        const [text, allowed] of [
          ["true", true],
          ["false", false],
          ["10.1.0.0/16, 127.0.0.1,fd12::/16", ["10.1.0.0/16", "127.0.0.1", "fd12::/16"]]
        ] as const
      ) {
        const settings = yield* loadFrom({ TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: text })
        assert.deepStrictEqual(settings.allowPrivateAddresses, allowed)
      }
    }))

  it.effect("requires all or no settings of an identity provider", () =>
    Effect.gen(function*() {
      const part = { TRIBUTARY_OIDC_ISSUER: "https://id.example.com", TRIBUTARY_OIDC_CLIENT_ID: "tributary" }
      const { message } = yield* Effect.flip(loadFrom(part))
      assert.include(message, "TRIBUTARY_OIDC_CLIENT_SECRET: either all of them are set, or none.")
      const { provider } = yield* loadFrom({ ...part, TRIBUTARY_OIDC_CLIENT_SECRET: "top secret" })
      assert.deepInclude(provider, { issuer: "https://id.example.com", clientId: "tributary", signUp: false })
      assert.notInclude(JSON.stringify(provider), "top secret")
    }))

  it.effect("requires both address and name of an embedding model, or neither", () =>
    Effect.gen(function*() {
      for (const part of [{ TRIBUTARY_EMBEDDINGS_URL: "http://127.0.0.1/v1" }, { TRIBUTARY_EMBEDDINGS_MODEL: "bge" }]) {
        assert.include((yield* Effect.flip(loadFrom(part))).message, "either both of them are set, or neither.")
      }
      const { embeddings } = yield* loadFrom({
        TRIBUTARY_EMBEDDINGS_URL: "http://127.0.0.1/v1",
        TRIBUTARY_EMBEDDINGS_MODEL: "bge",
        TRIBUTARY_EMBEDDINGS_KEY: "top-secret",
        TRIBUTARY_EMBEDDINGS_DIMENSIONS: "256",
        TRIBUTARY_EMBEDDINGS_DOCUMENT_PREFIX: "search_document: "
      })
      assert.deepInclude(embeddings, {
        url: "http://127.0.0.1/v1",
        model: "bge",
        dimensions: 256,
        documentPrefix: "search_document: "
      })
      assert.notInclude(JSON.stringify(embeddings), "top-secret")
    }))

  it.effect("requires both address and name of a language model, or neither", () =>
    Effect.gen(function*() {
      for (const part of [{ TRIBUTARY_ANSWERS_URL: "http://127.0.0.1/v1" }, { TRIBUTARY_ANSWERS_MODEL: "llama" }]) {
        assert.include((yield* Effect.flip(loadFrom(part))).message, "either both of them are set, or neither.")
      }
      const model = { TRIBUTARY_ANSWERS_URL: "http://127.0.0.1/v1", TRIBUTARY_ANSWERS_MODEL: "llama" }
      const standard = yield* loadFrom({ ...model, TRIBUTARY_ANSWERS_KEY: "top-secret" })
      assert.deepInclude(standard.answers, { model: "llama", contextTokens: 16_000, timeout: 60_000 })
      assert.notInclude(JSON.stringify(standard.answers), "top-secret")
      for (const timeout of ["1.5", "1.5 s", "1.5s"]) {
        const { answers } = yield* loadFrom({
          ...model,
          TRIBUTARY_ANSWERS_CONTEXT_TOKENS: "800",
          TRIBUTARY_ANSWERS_TIMEOUT: timeout
        })
        assert.deepInclude(answers, { contextTokens: 800, timeout: 1_500 })
      }
    }))

  it.effect("reads the standard variables of OpenTelemetry", () =>
    Effect.gen(function*() {
      assert.isNull((yield* loadFrom({ OTEL_EXPORTER_OTLP_HEADERS: "a=b", OTEL_SERVICE_NAME: "kites" })).telemetry)
      const { telemetry } = yield* loadFrom({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20top-secret,x-tenant=a%2Cb",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging, team = kites",
        OTEL_TRACES_SAMPLER_ARG: "0.01"
      })
      assert.notInclude(JSON.stringify(telemetry), "top-secret")
      assert.deepStrictEqual(optionsOf(telemetry!), {
        url: "http://127.0.0.1:4318",
        headers: { authorization: "Bearer top-secret", "x-tenant": "a,b" },
        serviceName: "tributary",
        attributes: { "deployment.environment.name": "staging", team: "kites" },
        ratio: 0.01
      })
    }))

  it.effect.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "two words=a"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%E4%B8%80"],
    ["OTEL_RESOURCE_ATTRIBUTES", "team=%zz"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["TRIBUTARY_ANSWERS_TIMEOUT", "999"],
    ["TRIBUTARY_ANSWERS_TIMEOUT", "2 minutes"],
    ["TRIBUTARY_ANSWERS_CONTEXT_TOKENS", "some"],
    ["TRIBUTARY_EMBEDDINGS_URL", "ftp://models"],
    ["TRIBUTARY_EMBEDDINGS_KEY", "two words"],
    ["TRIBUTARY_EMBEDDINGS_DIMENSIONS", "0"],
    ["TRIBUTARY_PORT", "65536"],
    ["TRIBUTARY_PORT", "-1"],
    ["TRIBUTARY_PORT", "80.5"],
    ["TRIBUTARY_BASE_URL", "example.com"],
    ["TRIBUTARY_BASE_URL", "https://user:password@example.com"],
    ["TRIBUTARY_BASE_URL", "https://example.com/?a=b"],
    ["TRIBUTARY_STORAGE", "disk"],
    ["TRIBUTARY_DATABASE_URL", "mysql://user:password@example.com/db"],
    ["TRIBUTARY_DATABASE_SCHEMA", "pg_mine"],
    ["TRIBUTARY_DATABASE_SCHEMA", "Mine"],
    ["TRIBUTARY_FSYNC", "perhaps"],
    ["TRIBUTARY_ALLOW_PRIVATE_ADDRESSES", "10.0.0.0/33"],
    ["TRIBUTARY_ALLOW_PRIVATE_ADDRESSES", "localhost"],
    ["TRIBUTARY_KEY", "two words"],
    ["TRIBUTARY_MEMORY_MB", "15"],
    ["TRIBUTARY_ADMIN_TOKEN", "0123456789abcdef0123456"],
    ["TRIBUTARY_ADMIN_TOKEN", "0123456789abcdef,0123456789"],
    ["TRIBUTARY_ADMIN_TOKEN", "0123456789abcdef0123456789é"]
  ])("refuses %s=%s", ([variable, value]) =>
    Effect.gen(function*() {
      const { exitCode, message } = yield* Effect.flip(loadFrom({ [variable!]: value! }))
      assert.strictEqual(exitCode, 1)
      assert.include(message, `${variable} must be `)
      assert.notInclude(message, value!)
    }))

  it("reports unknown variables that are named like settings, but not those of Kubernetes services", () => {
    assert.deepStrictEqual(
      unknownSettings([
        "PATH",
        "TRIBUTARY_STORAGE",
        "TRIBUTARY_STORAG",
        "TRIBUTARY_SERVICE_HOST",
        "TRIBUTARY_PORT_8787_TCP",
        "TRIBUTARY_DATA_DIRECTORY",
        "TRIBUTARY_ADMIN_TOKEN_FILE",
        "TRIBUTARY_HOST_FILE"
      ]),
      ["TRIBUTARY_STORAG", "TRIBUTARY_DATA_DIRECTORY", "TRIBUTARY_HOST_FILE"]
    )
  })

  it.effect("lists the settings of parts that are off", () =>
    Effect.gen(function*() {
      const url = "postgres://db/tributary"
      const environment = {
        PATH: "/bin",
        TRIBUTARY_STORAGE: "embedded",
        TRIBUTARY_DATABASE_URL: url,
        TRIBUTARY_ANSWERS_KEY: "secret",
        TRIBUTARY_EMBEDDINGS_KEY: "",
        TRIBUTARY_OIDC_SIGN_UP: "true"
      }
      assert.deepStrictEqual(
        unusedSettings(yield* loadFrom(environment), environment),
        ["TRIBUTARY_DATABASE_URL", "TRIBUTARY_ANSWERS_KEY", "TRIBUTARY_OIDC_SIGN_UP"]
      )
      const used = {
        TRIBUTARY_DATABASE_URL: url,
        TRIBUTARY_RERANKER_URL: "http://model",
        TRIBUTARY_RERANKER_MODEL: "m"
      }
      assert.deepStrictEqual(unusedSettings(yield* loadFrom(used), used), [])
    }))

  const secretFile = (content: string) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "tributary-secret-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      ),
      (folder) => {
        writeFileSync(join(folder, "secret"), content)
        return join(folder, "secret")
      }
    )

  it.effect("reads a secret from the file in its _FILE variable, without the last line end", () =>
    Effect.gen(function*() {
      const token = "0123456789abcdef01234567"
      const { adminToken } = yield* loadFrom({ TRIBUTARY_ADMIN_TOKEN_FILE: yield* secretFile(`${token}\n`) })
      assert.strictEqual(Redacted.value(Option.getOrThrow(adminToken)), token)
      const { storage } = yield* loadFrom({ TRIBUTARY_DATABASE_URL_FILE: yield* secretFile("postgres://ours/db") })
      assert.strictEqual(storage.kind, "postgres")
    }))

  it.effect("names the variable whose file is absent, empty, too long or no secret, and never its content", () =>
    Effect.gen(function*() {
      for (
        const [path, problem] of [
          ["/nowhere/to/be/found", "must be the path of a file that can be read."],
          [tmpdir(), "must be the path of a file that can be read."],
          [yield* secretFile(""), "the file is empty."],
          ["/dev/zero", "the file must have at most 65536 bytes."],
          [yield* secretFile("too-short"), "TRIBUTARY_ADMIN_TOKEN must be at least 24 characters long"]
        ] as const
      ) {
        const { message } = yield* Effect.flip(loadFrom({ TRIBUTARY_ADMIN_TOKEN_FILE: path }))
        assert.include(message, "TRIBUTARY_ADMIN_TOKEN")
        assert.include(message, problem)
        assert.notInclude(message, "too-short")
      }
    }))

  it.effect("refuses a secret that is given twice", () =>
    Effect.gen(function*() {
      const env = { TRIBUTARY_KEY: "one", TRIBUTARY_KEY_FILE: yield* secretFile("other") }
      assert.include((yield* Effect.flip(loadFrom(env))).message, "only one of them can be set.")
    }))

  const databaseOf = (env: Record<string, string>) =>
    Effect.map(
      loadFrom(env),
      ({ storage }) => storage.kind === "postgres" ? Redacted.value(storage.url) : storage.kind
    )

  it.effect.each<[Record<string, string>, string]>([
    [{ TRIBUTARY_STORAGE: "embedded" }, "embedded"],
    [{ TRIBUTARY_DATABASE_URL: "postgres://ours/db" }, "postgres://ours/db"],
    [{ TRIBUTARY_DATABASE_URL: "postgres://ours/db", TRIBUTARY_STORAGE: "embedded" }, "embedded"],
    // A host's `DATABASE_URL` must not make a start migrate somebody's database.
    [{ DATABASE_URL: "postgres://theirs/db" }, "embedded"],
    [{ DATABASE_URL: "postgres://theirs/db", TRIBUTARY_STORAGE: "embedded" }, "embedded"],
    [{ DATABASE_URL: "postgresql://theirs/db", TRIBUTARY_STORAGE: "postgres" }, "postgresql://theirs/db"],
    [{ DATABASE_URL: "postgres://theirs/db", TRIBUTARY_DATABASE_URL: "postgres://ours/db" }, "postgres://ours/db"]
  ])("keeps data, given %j, in %s", ([env, place]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* databaseOf(env), place)
    }))

  it.effect("requires the configured database", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(loadFrom({ TRIBUTARY_STORAGE: "postgres" }))
      assert.include(message, "TRIBUTARY_DATABASE_URL must be set")
      const other = yield* Effect.flip(loadFrom({ TRIBUTARY_STORAGE: "postgres", DATABASE_URL: "mysql://secret@x" }))
      assert.include(other.message, "DATABASE_URL must be ")
      assert.notInclude(other.message, "secret")
    }))

  it.effect("reads folders with the workspaces that may connect them", () =>
    Effect.gen(function*() {
      const [one, two] = ["0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f", "2e9d8c7b-6a5f-4e3d-9c2b-1a0f9e8d7c6b"]
      const { fileRoots } = yield* loadFrom({
        TRIBUTARY_FILE_ROOTS: `/srv/all:/srv/all/more:/srv/a=b:/srv/some=${one.toUpperCase()},${two}`
      })
      assert.deepStrictEqual(fileRoots, [
        "/srv/all",
        "/srv/all/more",
        "/srv/a=b",
        { path: "/srv/some", workspaces: [one, two] }
      ])
      const siblings = `/srv/team:/srv/team-b=${one}:/srv/te=${two}`
      assert.lengthOf((yield* loadFrom({ TRIBUTARY_FILE_ROOTS: siblings })).fileRoots, 3)
      // A folder within another root would not be exclusive.
      for (
        const roots of [`/srv:/srv/a=${one}`, `/srv/a=${one}:/srv/a/b`, `/srv/a/=${one}:/srv/a=${two}`, `a=${one}`]
      ) {
        const refused = yield* Effect.flip(loadFrom({ TRIBUTARY_FILE_ROOTS: roots }))
        assert.include(refused.message, "TRIBUTARY_FILE_ROOTS", roots)
      }
    }))
})
