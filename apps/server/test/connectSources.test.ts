/** `tributary connect` as people and programs use it, with a running server and a real source of each provider. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { describeWith } from "../../../packages/sources/test/support/describeWith.ts"
import { type RealSource, SOURCES } from "./faults/support/realSources.ts"
import { commandHere } from "./commandHere.ts"
import { onTerminal } from "./onTerminal.ts"
import { api, command, type RunningServer, startServer } from "./serverProcess.ts"

const KEYS = { TRIBUTARY_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString("base64") }

const TIMEOUT = 120_000

/** The progress lines for a person: one for all resources, or one each. */
const SHOWN = extent(["files"], Object.keys(SOURCES))

/** One provider without a password, and one with. */
const PROVIDERS = Object.entries(SOURCES).filter(([provider]) => extent(["files", "imap"].includes(provider), true))

for (const [provider, { beyondCheckpoint, needs, start }] of PROVIDERS) {
  describeWith([...needs, "script"], `tributary connect ${provider}`, () => {
    let source: RealSource
    let server: RunningServer
    let reach: Readonly<Record<string, string>>
    let words: ReadonlyArray<string>

    beforeAll(async () => {
      source = await start()
      await source.fill(30)
      server = await startServer([], { ...source.settings, ...KEYS })
      reach = { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key }
      const [[, place] = [], ...fields] = Object.entries(source.config)
      words = ["connect", provider, `${place}`, ...fields.flatMap(([name, value]) => [`--${name}`, `${value}`])]
    }, TIMEOUT)

    afterAll(async () => {
      await server?.stop()
      await source?.stop()
    }, TIMEOUT)

    const connections = () => api<ReadonlyArray<{ readonly connection_id: string }>>(server, "GET", "/v1/connections")

    it("reports the ingested items to a program", async () => {
      const secret = source.password === null ? [] : ["--password", "env:SOURCE_PASSWORD"]
      const env = { ...reach, SOURCE_PASSWORD: source.password ?? "" }
      const { code, stderr, stdout } = await command([...words, ...secret, "--json"], env)
      assert.strictEqual(code, 0, stderr)
      const report = JSON.parse(stdout) as {
        readonly connection_id: string
        readonly sync: ReadonlyArray<{ readonly status: string; readonly items_ingested: number }>
      }
      assert.strictEqual(report.sync.reduce((sum, { items_ingested }) => sum + items_ingested, 0), 30)
      assert.isTrue(report.sync.every(({ status }) => status === "completed"))
      const again = await commandHere(["connections", "sync", report.connection_id], reach)
      assert.strictEqual(again.code, 0, again.stderr)
      const deleted = await commandHere(["connections", "delete", report.connection_id, "--documents"], reach)
      assert.strictEqual(deleted.code, 0, deleted.stderr)
      assert.deepStrictEqual(await connections(), [])
    }, TIMEOUT)

    it.runIf(SHOWN.includes(provider))(
      "shows progress to a person, and hides a typed secret",
      async () => {
        await source.fill(beyondCheckpoint)
        const { code, shown } = await onTerminal(words, reach, [["password: ", "secret\r"]])
        assert.strictEqual(code, 0, shown)
        assert.match(shown, /\[[#.]{24}\] +\d+ %/)
        assert.match(shown, new RegExp(`${source.resource} +completed`))
        assert.strictEqual(shown.includes("password: "), source.password !== null)
        assert.notInclude(shown.replaceAll(/tributary-\S+/g, ""), "secret")
        assert.lengthOf(await connections(), 1)
      },
      TIMEOUT
    )

    it.runIf(SHOWN.includes(provider))("explains in a sentence why nothing was connected", async () => {
      const before = await connections()
      const nowhere = await commandHere(["connect", provider, "/no/such/place", ...words.slice(3)], reach)
      assert.strictEqual(nowhere.code, 1, nowhere.stderr)
      const options = await commandHere([...words, "--colour", "red"], reach)
      assert.strictEqual(options.code, 2)
      assert.match(options.stderr, /There is no option --colour\./)
      if (source.password !== null) {
        const wrong = { ...reach, SOURCE_PASSWORD: "a guess" }
        const refused = await command([...words, "--password", "env:SOURCE_PASSWORD"], wrong)
        assert.strictEqual(refused.code, 1)
        assert.match(refused.stderr, /refuses/)
        assert.notInclude(refused.stderr, "a guess")
        const cancelled = await onTerminal(words, reach, [["password: ", "\u0003"]])
        assert.strictEqual(cancelled.code, 1)
        assert.include(cancelled.shown, "Nothing was connected.")
      }
      assert.deepStrictEqual(await connections(), before)
    }, TIMEOUT)
  })
}

describe("tributary connect", () => {
  it("lists the providers and their fields", async () => {
    const server = await startServer([], KEYS)
    const reach = { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key }
    const unknown = await commandHere(["connect", "mail"], reach)
    assert.strictEqual(unknown.code, 2)
    for (const provider of Object.keys(SOURCES)) assert.include(unknown.stderr, `  ${provider}`)
    const bare = await commandHere(["connect", "imap"], reach)
    assert.strictEqual(bare.code, 2)
    assert.match(bare.stderr, /What is missing: PLACE, which is its host, --username\./)
    assert.match(bare.stderr, /--folders +Folders: /)
    const feed = await commandHere(["connect", "feed"], reach)
    assert.match(feed.stderr, / PLACE +Address: /)
    // It would name the server.
    assert.notInclude(feed.stderr, "--url")
    await server.stop()
  }, TIMEOUT)
})
