// A host that bundles itself: what needs modules of its own says so, and everything else works.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "vite"
import { afterAll, assert, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "tributary-bundled-"))
const front = fileURLToPath(new URL("../src/open.ts", import.meta.url))

const HOST = `import { open } from ${JSON.stringify(front)}
const kb = await open({ storage: "memory" })
const { connectors, ingest, search } = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await connectors.create({ name: "Mails", source_name: "mails" })
await ingest.text(connector_id, [{ text: "The office is closed." }])
console.log((await search({ q: "office" })).count)
const file = new File(["Subject: Keys\\r\\n\\r\\nThe spare key is in locker 7."], "keys.eml")
await ingest.file(connector_id, { file }).catch(({ message }) => console.log(message))
await kb.close()
await open({ storage: "memory", indexing: "worker" }).catch(({ message }) => console.log(message))
process.exit()`

afterAll(() => rmSync(folder, { recursive: true }))

it("A bundled host ingests texts, and gets an error at once for files and threads", async () => {
  const entry = join(folder, "host.js")
  writeFileSync(entry, HOST)
  await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("..", import.meta.url)),
    ssr: { noExternal: true, external: ["@effect/sql-pg", "@effect/platform-node"], resolve: { conditions: ["node"] } },
    build: { ssr: entry, outDir: join(folder, "out"), target: "esnext", minify: false }
  })
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "out/host.js")])
  const [count, file, threads] = stdout.trim().split("\n")
  assert.strictEqual(count, "1")
  assert.match(file!, /has @tributary\/extract in its bundle.*"external"/)
  assert.match(threads!, /indexWorker\.js is not beside.*"external"/)
})
