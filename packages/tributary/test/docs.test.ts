// What the guide shows is what the examples are, and the examples run and print what the guide says.
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { databaseUrl } from "../../postgres/test/support/testServer.ts"
import { dropSchema } from "./support/database.ts"
import { printed } from "./support/printed.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8")

const schema = `docs_${crypto.randomUUID().replaceAll("-", "")}`
afterAll(() => dropSchema(schema))

const run = async (example: string): Promise<string> => {
  const path = join(root, "docs/examples", example)
  const { stdout } = await promisify(execFile)(process.execPath, [path], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl ?? "", SCHEMA: schema }
  })
  return stdout
}

/** The programs of a page, each with what it is said to print. */
const programsOf = (page: string) =>
  [...page.matchAll(/```ts\n([^]*?)```\n(?:\nIt prints\n\n```\n([^]*?)```\n)?/g)].map(([, program, prints]) => ({
    program: program!,
    prints
  }))

describe("docs/embed.md", () => {
  const examples = [
    "open.ts",
    "open-embedded.ts",
    "kinds.ts",
    "open-layers.ts",
    "test-with-clock.ts"
  ]

  it("shows the same examples", async () => {
    const shown = programsOf(await read("docs/embed.md")).map(({ program }) => program)
    assert.deepStrictEqual(shown, await Promise.all(examples.map((example) => read(`docs/examples/${example}`))))
  })

  it("shows their real output", async () => {
    const programs = programsOf(await read("docs/embed.md"))
    for (const [index, { prints }] of programs.entries()) {
      if (prints !== undefined) assert.strictEqual(await printed(examples[index]!), prints)
    }
  })

  // `pack` runs it from the packed packages, too.
  it("has a test that passes", async () => {
    assert.match(await run("test-with-clock.ts"), /\b(pass 1|✔ )/)
  })

  it("is the first example in the package's README", async () => {
    const [shown] = programsOf(await read("packages/tributary/README.md"))
    assert.strictEqual(shown?.program, await read("docs/examples/open.ts"))
  })
})

describe("docs/embed-in-production.md", () => {
  const examples = ["pool", "transaction", "users", "sources", "telemetry"].map((name) => `production-${name}.ts`)
  const needsPostgres = new Set(["production-pool.ts", "production-transaction.ts"])

  it("shows the same examples", async () => {
    const shown = programsOf(await read("docs/embed-in-production.md")).map(({ program }) => program)
    assert.deepStrictEqual(shown, await Promise.all(examples.map((example) => read(`docs/examples/${example}`))))
  })

  // `pack` runs them from the packed packages.
  for (const [index, example] of extent([], examples).entries()) {
    it.skipIf(databaseUrl === null && needsPostgres.has(example))(`shows the real output of ${example}`, async () => {
      const { prints } = programsOf(await read("docs/embed-in-production.md"))[index]!
      assert.strictEqual(await run(example), prints)
    })
  }
})
