/** Every command with both transports to a running server: HTTP, and the socket of a data directory. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commandHere } from "./commandHere.ts"
import { command, type Environment, type RunningServer, startServer, tributary } from "./serverProcess.ts"

const ADMIN_TOKEN = "0123456789abcdef01234567"

interface Way {
  readonly settings: (folder: string) => Environment
  /** Environment by which a command finds the server. */
  readonly toward: (server: RunningServer, folder: string) => Environment
}

const ways: Readonly<Record<string, Way>> = {
  "over HTTP": {
    settings: () => ({ TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN }),
    toward: ({ key, url }) => ({ TRIBUTARY_URL: url, TRIBUTARY_KEY: key, TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN })
  },
  "over the socket of an embedded server": {
    settings: (folder) => ({ TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(folder, "data") }),
    toward: (_, folder) => ({ TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(folder, "data") })
  }
}

const writeCollection = (folder: string): void => {
  mkdirSync(join(folder, "notes/deep"), { recursive: true })
  const files = {
    "notes/deploys.md": "# RFC 12: Deploys\n\nDeploys run on weekdays. A release manager approves each release.\n",
    "notes/deep/page.html": "<title>Parking</title><p>The garage opens at seven.</p>",
    "notes/plain.txt": "The canteen serves lentils on Tuesdays.\n",
    "notes/data.json": "{\"animal\": \"capybara\"}",
    "notes/picture.png": "no text",
    "notes/.hidden.md": "unseen",
    "notes/corpus.jsonl": [
      "{\"id\": \"a\", \"title\": \"Lockers\", \"text\": \"Locker 7 holds the spare keys.\", \"date\": \"2026-11-01\"}",
      "{\"id\": 8, \"text\": \"Locker 8 is empty.\"}",
      "{\"id\": \"bad\"}",
      "not json"
    ].join("\n")
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  writeFileSync(join(folder, "notes/packed.jsonl.gz"), gzipSync("{\"id\": \"p\", \"text\": \"Lamps are lit at six.\"}"))
}

// A command has one definition for every transport, so over the socket only the most different ones are tested: many
// requests, one answer, and operator commands.
describe.each(Object.entries(ways))("commands %s", (name, { settings, toward }) => {
  const itOverHttp = name === "over HTTP" ? it : () => {}
  const folder = mkdtempSync(join(tmpdir(), "tributary-commands-"))
  let server: RunningServer
  let way: Environment
  beforeAll(async () => {
    writeCollection(folder)
    server = await startServer([], settings(folder))
    way = toward(server, folder)
  })
  afterAll(async () => {
    server.child.kill("SIGTERM")
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  })

  /** The output of a successful command for programs: exactly one line of JSON. */
  const json = async <A>(...args: ReadonlyArray<string>): Promise<A> => {
    const { code, stderr, stdout } = await commandHere([...args, "--json"], way)
    assert.strictEqual(stderr, "")
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout.split("\n").length, 2)
    return JSON.parse(stdout) as A
  }

  it("ingest reads files and folders, and names the skipped ones", async () => {
    const { code, stderr, stdout } = await command(["ingest", join(folder, "notes"), "--json"], way)
    const summary = JSON.parse(stdout) as Record<string, unknown> & {
      left_out: Array<{ path: string; problem: string }>
    }
    assert.deepInclude(summary, { connector: "files", sent: 7, created: 7, updated: 0, unchanged: 0 })
    assert.deepStrictEqual(summary.left_out, [
      { path: join(folder, "notes/corpus.jsonl:3"), problem: "\"text\" must be a text" },
      { path: join(folder, "notes/corpus.jsonl:4"), problem: "it is no JSON" }
    ])
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "2 of the given items could not be ingested.\n")

    const again = await json<{ unchanged: number }>("ingest", join(folder, "notes/plain.txt"))
    assert.strictEqual(again.unchanged, 1)
    const other = await commandHere(["ingest", join(folder, "notes/plain.txt"), "--connector", "wiki"], way)
    assert.match(other.stdout, /^Took in 1 document through "wiki" in .* s: 1 created, 0 updated, 0 unchanged\.\n$/)
    const picture = await commandHere(["ingest", join(folder, "notes/picture.png")], way)
    assert.strictEqual(picture.code, 1)
    assert.include(picture.stderr, "its name must end in one of .txt")
    const absent = await commandHere(["ingest", join(folder, "nowhere")], way)
    assert.include(absent.stderr, "it does not exist")
  })

  itOverHttp("search finds what was taken in", async () => {
    const found = await json<{ results: Array<{ external_id: string }> }>("search", "spare", "keys", "--limit", "1")
    assert.deepStrictEqual(found.results.map(({ external_id }) => external_id), ["a"])
    const { stdout } = await commandHere(["search", "garage"], way)
    assert.include(stdout, "1. Parking  (custom:files, ")
    assert.include(stdout, "The garage opens at seven.")
    const capybara = await commandHere(["search", "capybara", "--source", "custom:wiki"], way)
    assert.strictEqual(capybara.code, 0)
    assert.include(capybara.stdout, "Nothing found.")
  })

  it("events prints document events, one per line", async () => {
    const { code, stdout } = await commandHere(["events", "--source", "custom:files"], way)
    assert.strictEqual(code, 0)
    assert.match(stdout, /^\S+Z {2}document\.created {2}custom:files {2}\S/)
    const lines = (await commandHere(["events", "--json"], way)).stdout.trim().split("\n")
    for (const line of lines) assert.match((JSON.parse(line) as { type: string }).type, /^document\./)
    assert.isAbove(lines.length, 6)
  })

  itOverHttp("ask warns about an unknown source", async () => {
    const { stdout } = await commandHere(["ask", "Who approves each release?", "--source", "nowhere"], way)
    assert.include(stdout, "sources: nothing in the knowledge context matches \"nowhere\"")
  })

  it("ask answers with numbered quotes", async () => {
    const { code, stdout } = await commandHere(["ask", "Who approves each release?"], way)
    assert.strictEqual(code, 0)
    assert.include(stdout, "A release manager approves each release. [1]")
    assert.match(
      stdout,
      /\n\[1\] RFC 12: Deploys {2}\(custom:files, .*\)\n/
    )
    const answer = await json<{ answered: boolean }>("ask", "Who approves each release?")
    assert.isTrue(answer.answered)
  })

  itOverHttp("status shows the state of the workspace", async () => {
    const { knowledge, usage } = await json<{
      knowledge: { state: string }
      usage: { entitlements: { documents: { used: number } } }
    }>("status")
    assert.strictEqual(usage.entitlements.documents.used, 8)
    assert.include(["ready", "refreshing"], knowledge.state)
    assert.match((await commandHere(["status"], way)).stdout, /\ndocuments +8 of 10,000 \(0 %\)\n/)
  })

  itOverHttp("events prints new events until it is stopped", async () => {
    const run = tributary(["events", "--follow"], way)
    // Nothing reports that it listens, so documents are sent until one appears.
    for (let version = 0; !run.output.stdout.includes("custom:live"); version++) {
      writeFileSync(join(folder, "live.txt"), `Version ${version} of what changes.`)
      await commandHere(["ingest", join(folder, "live.txt"), "--connector", "live"], way)
    }
    run.child.kill("SIGINT")
    assert.strictEqual(await run.ended, 130)
    assert.match(run.output.stdout, /document\.(created|updated) +custom:live/)
  })

  it("keys are created, listed and revoked, and a secret is shown once", async () => {
    const key = await json<{ key_id: string; secret: string; scopes: Array<string> }>(
      "keys",
      "create",
      "reader",
      "--scope",
      "knowledge:read"
    )
    assert.deepStrictEqual(key.scopes, ["knowledge:read"])
    const status = (secret: string) =>
      fetch(`${server.url}/v1/knowledge/status`, { headers: { authorization: `Bearer ${secret}` } })
    assert.strictEqual((await status(key.secret)).status, 200)
    const listed = await commandHere(["keys", "list"], way)
    assert.include(listed.stdout, "reader")
    assert.notInclude(listed.stdout, key.secret)
    assert.include((await commandHere(["keys", "revoke", key.key_id], way)).stdout, `Key ${key.key_id} is revoked.`)
    const { stdout } = await commandHere(["keys", "rewrap", "--json"], way)
    assert.deepStrictEqual(JSON.parse(stdout), { rewrapped: 0, current: 0, unreadable: 0 })
    assert.strictEqual((await status(key.secret)).status, 401)
    const { api_keys } = await json<{ api_keys: Array<{ name: string; revoked_at: string | null }> }>("keys", "list")
    assert.deepStrictEqual(
      api_keys.map(({ name, revoked_at }) => `${name} ${revoked_at === null}`).sort(),
      ["First start true", "reader false"]
    )
    const scope = await commandHere(["keys", "create", "x", "--scope", "everything"], way)
    assert.strictEqual(scope.code, 2)
    assert.include(scope.stderr, "There is no scope \"everything\"")
    const late = await commandHere(["keys", "create", "x", "--expires", "2026-01-01T00:00:00Z"], way)
    assert.strictEqual(late.code, 1)
    assert.match(late.stderr, /expires_at.*must be in the future/)
    assert.notInclude(server.output.stderr, "pk_live_")
  })

  it("console prints a one-time sign-in link for this server", async () => {
    const { code, stdout } = await commandHere(["console", "--email", "Ada@example.com"], way)
    assert.strictEqual(code, 0)
    const [url] = stdout.split("\n")
    assert.isTrue(url!.startsWith(`${server.url}/console/sign-in#token=`), stdout)
    assert.match(stdout, /\n\nSigns in ada@example\.com, once, until .*Z\./)
    const signIn = (link: string) =>
      fetch(`${server.url}/console/api/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-tributary-console": "1", origin: server.url },
        body: JSON.stringify({ token: new URL(link).hash.replace("#token=", "") })
      })
    const answer = await signIn(url!)
    assert.strictEqual(answer.status, 200)
    const cookie = answer.headers.get("set-cookie")!
    assert.match(cookie, /^tributary_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/)
    const me = await fetch(`${server.url}/console/api/me`, { headers: { cookie: cookie.split(";")[0]! } })
    const { session, user } = await me.json() as { session: { address: string }; user: { email: string } }
    assert.strictEqual(user.email, "ada@example.com")
    assert.include(session.address, "127.0.0.1")
    assert.strictEqual((await signIn(url!)).status, 401)
    const again = await json<{ user_id: string; email: string }>("console")
    assert.strictEqual(again.email, "ada@example.com")
    assert.notInclude(server.output.stderr, "token=")
    const nobody = await commandHere(["console", "--email", "eve@example.com"], way)
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.stderr, "No user of the account has this e-mail.")
  })

  itOverHttp("workspaces are created, listed and put on another plan", async () => {
    const design = await json<{ workspace_id: string; kind: string }>("workspaces", "create", "Design")
    assert.strictEqual(design.kind, "shared")
    const plan = await commandHere(["workspaces", "set-plan", design.workspace_id, "pro"], way)
    assert.include(plan.stdout, `Workspace ${design.workspace_id} is on plan pro.`)
    const { workspaces } = await json<{ workspaces: Array<{ name: string; tier: string }> }>("workspaces", "list")
    assert.deepInclude(workspaces.map(({ name, tier }) => `${name} ${tier}`), "Design pro")
    const which = await commandHere(["keys", "list"], way)
    assert.strictEqual(which.code, 2)
    assert.include(which.stderr, `${design.workspace_id}  Design`)
    assert.strictEqual((await commandHere(["keys", "list", "--workspace", design.workspace_id], way)).code, 0)
    const acme = await json<{ kind: string; account_id: string }>("workspaces", "create", "Acme", "--new-account")
    assert.strictEqual(acme.kind, "personal")
    const { stdout } = await commandHere(["workspaces", "create", "Globex", "--new-account"], way)
    assert.include(stdout, "The account is called \"Globex\", its personal workspace \"Personal\"")
    const whose = await commandHere(["console"], way)
    assert.strictEqual(whose.code, 2)
    assert.include(whose.stderr, "choose one with --account ID")
    assert.include(whose.stderr, acme.account_id)
    assert.strictEqual((await commandHere(["console", "--account", acme.account_id], way)).code, 0)
    const nobody = await commandHere(["workspaces", "set-plan", crypto.randomUUID(), "pro"], way)
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.stderr, "not_found")
  })

  it("operators are created, listed and revoked, and have only their scopes", async () => {
    const scopes = ["--scope", "operator:admin", "--expires", "2100-01-01T00:00:00Z"]
    const made = await json<{ operator_id: string; token: string }>("operators", "create", "Ada", ...scopes)
    const { operators } = await json<{ operators: Array<{ operator_id: string }> }>("operators", "list")
    assert.deepStrictEqual(operators.map(({ operator_id }) => operator_id), [made.operator_id])
    const asAda = name === "over HTTP" ? { ...way, TRIBUTARY_ADMIN_TOKEN: made.token } : way
    const { stdout } = await commandHere(["operators", "list"], asAda)
    assert.match(stdout, new RegExp(`${made.operator_id} .* 2100-01-01T00:00:00Z  Ada   operator:admin`))
    const revoked = await commandHere(["operators", "revoke", made.operator_id], asAda)
    assert.strictEqual(revoked.stdout, `Operator ${made.operator_id} is revoked.\n`)
    const unknown = await commandHere(["operators", "create", "Ada", "--scope", "operator:all"], way)
    assert.strictEqual(unknown.code, 2)
    assert.include(unknown.stderr, "There are: operator:read, operator:write, operator:admin.")
  })

  it("audit prints the changes with their actors, line by line, and verifies the chain", async () => {
    const { entries, hash } = await json<{ entries: number; hash: string }>("audit", "verify")
    assert.isAbove(entries, 4)
    const { stdout } = await commandHere(["audit", "export", "--after", String(entries - 4)], way)
    const lines = stdout.trimEnd().split("\n").map((line) =>
      JSON.parse(line) as { action: string; outcome: string; operator: { name: string }; hash: string }
    )
    assert.deepStrictEqual(lines.map(({ action, outcome }) => `${action} ${outcome}`), [
      "createOperator begun",
      "createOperator done",
      "revokeOperator begun",
      "revokeOperator done"
    ])
    assert.strictEqual(lines[0]?.operator.name, name === "over HTTP" ? "admin" : "command line")
    assert.strictEqual(lines[2]?.operator.name, name === "over HTTP" ? "Ada" : "command line")
    assert.strictEqual(lines.at(-1)?.hash, hash)
    assert.strictEqual((await commandHere(["audit", "verify", "--contains", hash], way)).code, 0)
    const cut = await commandHere(["audit", "verify", "--contains", hash.slice(1)], way)
    assert.deepStrictEqual([cut.code, cut.stdout], [2, ""])
    assert.include(cut.stderr, "is no hash of an entry")
    const other = await commandHere(["audit", "verify", "--contains", "0".repeat(64)], way)
    assert.strictEqual(other.code, 1)
    assert.include(other.stderr, "the log was cut off or replaced")
  })

  it("audit entries prints the audit log of a workspace with filters", async () => {
    const { workspaces } = await json<{ workspaces: Array<{ workspace_id: string }> }>("workspaces", "list")
    const where = ["--workspace", workspaces[0]!.workspace_id]
    const { secret } = await json<{ secret: string }>("keys", "create", "auditor", "--scope", "audit:read", ...where)
    const asAuditor = name === "over HTTP" ? { ...way, TRIBUTARY_KEY: secret } : way
    const entries = async (...args: ReadonlyArray<string>) => {
      const { stdout } = await commandHere(["audit", "entries", ...where, ...args], asAuditor)
      return stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as { action: string; details: object })
    }
    const [made] = await entries("auditor", "--action", "api_key.created", "--actor", "operator")
    assert.deepInclude(made?.details, { name: "auditor" })
    const [exported] = await entries("--action", "audit_log")
    assert.strictEqual(exported?.action, "audit_log.exported")
    if (name === "over HTTP") {
      const { code, stderr } = await commandHere(["audit", "entries"], way)
      assert.strictEqual(code, 1)
      assert.include(stderr, "refused (insufficient_scopes): this key lacks the scope audit:read.")
    }
    const wrong = await commandHere(["audit", "entries", "--from", "yesterday"], asAuditor)
    assert.strictEqual(wrong.code, 2)
    assert.include(wrong.stderr, "\"yesterday\" is no time such as 2027-01-31T00:00:00Z.")
    for (const empty of [["--action", ""], [""]]) {
      const refused = await commandHere(["audit", "entries", ...where, ...empty], asAuditor)
      assert.deepStrictEqual([refused.code, refused.stdout], [1, ""], empty.join(" "))
    }
  })
})

it("reports that the operator API is off, and which key is refused", async () => {
  const server = await startServer()
  const toward = { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: "pk_live_none", TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN }
  const off = await commandHere(["keys", "list"], toward)
  assert.strictEqual(off.code, 1)
  assert.include(off.stderr, `The operator API of ${server.url} is off.`)
  const refused = await commandHere(["status"], toward)
  assert.strictEqual(refused.code, 1)
  assert.include(refused.stderr, "does not take this API key")
  assert.notInclude(refused.stderr, "pk_live_none")
  const elsewhere = { ...toward, TRIBUTARY_KEY: server.key }
  const other = await commandHere(["status", "--workspace", crypto.randomUUID()], elsewhere)
  assert.include(other.stderr, "This API key belongs to workspace")
  await server.stop()
})
