import { execFileSync, spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { SETTINGS } from "../src/settings/Settings.ts"
import { helpOf } from "../src/cli/CommandHelp.ts"
import { commands } from "../src/commands/definitions/commands.ts"
import { commandHere } from "./commandHere.ts"
import { command, IN_MEMORY, main, tributary } from "./serverProcess.ts"

// These may be any text.
const variables = Object.values(SETTINGS)
  .filter(({ mustBe }) => mustBe !== "a text" && mustBe !== "the path of a folder")
  .map(({ variable }) => variable)

describe("tributary", () => {
  it("ends quietly when nobody reads its output any more", async () => {
    const directory = mkdtempSync(join(tmpdir(), "tributary-unread-"))
    const settings = { TRIBUTARY_DATA_DIR: directory, TRIBUTARY_FSYNC: "false" }
    await command(["migrate"], settings)
    await command(["workspaces", "create", "Acme"], settings)
    const birds = join(directory, "birds.jsonl")
    writeFileSync(birds, ["Wren", "Heron", "Crane"].map((text, id) => JSON.stringify({ id, text })).join("\n"))
    await command(["ingest", birds], settings)
    const unread = "{ \"$0\" \"$1\" events; echo $? >&2; } | true"
    const { stderr } = spawnSync("sh", ["-c", unread, process.execPath, main], {
      env: { ...process.env, ...settings },
      encoding: "utf8"
    })
    rmSync(directory, { recursive: true })
    assert.strictEqual(stderr, "0\n")
  })

  it.skipIf(!existsSync("/dev/full"))("fails when its output does not fit on the disk", () => {
    const full = openSync("/dev/full", "w")
    const { status, stderr } = spawnSync(process.execPath, [main, "completion", "bash"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8"
    })
    closeSync(full)
    assert.strictEqual(stderr, "Standard output cannot be written: ENOSPC: no space left on device, write\n")
    assert.strictEqual(status, 1)
  })

  it("names every setting that cannot be read, without its value, and ends with 1", async () => {
    const run = tributary(["serve"], {
      TRIBUTARY_PORT: "eighty",
      TRIBUTARY_HOST: "not a host",
      TRIBUTARY_BASE_URL: "ftp://example.com",
      TRIBUTARY_STORAGE: "disk",
      TRIBUTARY_DATABASE_URL: "mysql://a-secret@example.com",
      TRIBUTARY_DATABASE_SCHEMA: "My Schema",
      TRIBUTARY_DATABASE_CONNECTIONS: "lots",
      TRIBUTARY_DATABASE_MIGRATE: "perhaps",
      TRIBUTARY_DATABASE_SYSTEM_ROLE: "two words",
      TRIBUTARY_FSYNC: "perhaps",
      TRIBUTARY_URL: "example.com",
      TRIBUTARY_KEY: "two words",
      TRIBUTARY_MEMORY_MB: "lots",
      TRIBUTARY_ADMIN_TOKEN: "too-short-a-secret",
      TRIBUTARY_ENCRYPTION_KEYS: "a short secret",
      TRIBUTARY_FILE_ROOTS: "a/folder",
      TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "perhaps",
      TRIBUTARY_TRUSTED_PROXIES: "proxy",
      TRIBUTARY_CONNECTIONS_PER_ADDRESS: "none",
      TRIBUTARY_METRICS: "perhaps",
      TRIBUTARY_QUESTION_LOG: "perhaps",
      TRIBUTARY_ANSWERS_URL: "ftp://example.com",
      TRIBUTARY_ANSWERS_KEY: "two secret words",
      TRIBUTARY_ANSWERS_CONTEXT_TOKENS: "many",
      TRIBUTARY_ANSWERS_TIMEOUT: "a while",
      TRIBUTARY_RERANKER_URL: "ftp://example.com",
      TRIBUTARY_RERANKER_KEY: "two secret words",
      TRIBUTARY_MCP: "perhaps",
      TRIBUTARY_EMBEDDINGS_URL: "ftp://example.com",
      TRIBUTARY_EMBEDDINGS_KEY: "two secret words",
      TRIBUTARY_EMBEDDINGS_DIMENSIONS: "many",
      OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://example.com",
      OTEL_EXPORTER_OTLP_HEADERS: "two secret words",
      OTEL_RESOURCE_ATTRIBUTES: "two words",
      OTEL_TRACES_SAMPLER_ARG: "2",
      TRIBUTARY_OIDC_ISSUER: "ftp://example.com",
      TRIBUTARY_OIDC_SIGN_UP: "perhaps",
      TRIBUTARY_LOG_FORMAT: "xml",
      TRIBUTARY_LOG_LEVEL: "loud"
    })
    assert.strictEqual(await run.ended, 1)
    assert.deepStrictEqual(run.output.stderr.trim().split("\n").map((line) => line.split(" ")[0]), variables)
    assert.notInclude(run.output.stderr, "secret")
    assert.strictEqual(run.output.stdout, "")
  })

  it("lists every setting with --help", async () => {
    const run = tributary(["serve", "--help"])
    assert.strictEqual(await run.ended, 0)
    for (const { defaultText, description, variable } of Object.values(SETTINGS)) {
      for (const text of [variable, description, defaultText]) assert.include(run.output.stdout, text)
    }
  })

  it.each([
    [["dance"], "there is no command \"dance\"\n\nThere are: serve, ingest,"],
    [[], "a command is missing"],
    [["keys"], "keys: a subcommand is missing"],
    [["keys", "make"], "there is no command \"keys make\""],
    [["keys", "create"], "NAME is missing"],
    [["workspaces", "set-plan", "one"], "ID PLAN is missing"],
    [["workspaces", "set-plan", "one", ""], "ID PLAN is missing"],
    [["search", "words", "--limit"], "--limit"],
    [["search", "words", "--limit", "many"], "\"many\" is no whole number"],
    [["search", "words", "--limit", "1", "--limit", "2"], "--limit is given more than once"],
    [["connect", "files", "/srv", "--days", "week"], "--days: \"week\" is no whole number from 1 to 36500."],
    [["connect", "files", "/srv", "--every", "0"], "--every: \"0\" is no whole number from 1 to 43200."],
    [["events", "--source", "custom:a", "--source", "custom:b"], "--source is given more than once"],
    [["connect", "imap", "host", "--username", "ada", "--username=bob"], "--username is given more than once"],
    [["serve", "--loud"], "'--loud'"],
    [["serve", "twice"], "cannot read \"twice\""]
  ])("refuses %j with code 2 and says what there is", async (args, problem) => {
    const { code, stderr, stdout } = await commandHere(args, {})
    assert.strictEqual(code, 2)
    assert.include(stderr, problem)
    assert.strictEqual(stdout, "")
  })

  it("shows the options of a command that was given another one", async () => {
    const { stderr } = await commandHere(["keys", "create", "laptop", "--scopes", "api:read"], {})
    assert.include(
      stderr,
      "tributary keys create: unknown option '--scopes'\n\nUsage: tributary keys create NAME [OPTIONS]"
    )
    assert.include(stderr, "  --scope SCOPE")
  })

  it("runs from its sources like from a bundle, as all other tests run it", async () => {
    const source = fileURLToPath(new URL("../src/main.ts", import.meta.url))
    const { stdout } = await command(["--help"])
    assert.strictEqual(execFileSync(process.execPath, [source, "--help"], { encoding: "utf8" }), stdout)
  })

  it("prints its release with --version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    assert.deepInclude(await command(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" })
  })

  it("explains a command after help, too", async () => {
    assert.deepStrictEqual(
      await commandHere(["help", "keys", "create"], {}),
      await commandHere(["keys", "create", "--help"], {})
    )
    assert.deepStrictEqual(await commandHere(["help", "keys"], {}), await commandHere(["keys", "--help"], {}))
    assert.deepStrictEqual(await commandHere(["help", "--help"], {}), await commandHere(["--help"], {}))
    assert.strictEqual((await commandHere(["help", "nope"], {})).code, 2)
  })

  it("explains a command with --help", async () => {
    const { code, stderr, stdout } = await commandHere(["keys", "create", "--help"], {})
    assert.strictEqual(code, 0)
    assert.strictEqual(stderr, "")
    assert.include(stdout, "Usage: tributary keys create NAME")
  })

  it.each(commands)("has help for $name, with its options and examples", (command) => {
    const help = helpOf(command)
    assert.isAbove(command.examples.length, 0)
    for (const text of [command.summary, ...command.examples]) assert.include(help, text)
    for (const option of Object.keys(command.options)) assert.include(help, `--${option}`)
    assert.isTrue(command.name === "serve" || "json" in command.options)
  })

  it("explains what to do without a service", async () => {
    const nothing = await command(["search", "words"], IN_MEMORY)
    assert.strictEqual(nothing.code, 2)
    assert.include(nothing.stderr, "--url and --key")
    const server = { TRIBUTARY_URL: "http://127.0.0.1:59999" }
    const absent = await commandHere(["search", "words"], { ...server, TRIBUTARY_KEY: "pk_live_none" })
    assert.strictEqual(absent.code, 1)
    assert.strictEqual(
      absent.stderr,
      "No server answers at http://127.0.0.1:59999 (ECONNREFUSED). Is it running, and is this its address?\n"
    )
    const keyless = await commandHere(["search", "words"], server)
    assert.strictEqual(keyless.code, 2)
    assert.include(keyless.stderr, "TRIBUTARY_KEY")
    const tokenless = await commandHere(["keys", "list"], { ...server, TRIBUTARY_KEY: "pk_live_none" })
    assert.strictEqual(tokenless.code, 2)
    assert.include(tokenless.stderr, "TRIBUTARY_ADMIN_TOKEN")
    const serverless = await commandHere(["search", "words", "--key", "pk_live_none"], {})
    assert.strictEqual(serverless.code, 2)
    assert.include(serverless.stderr, "--url")
  })
})
