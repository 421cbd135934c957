// What docs/http.md shows is what a server answers: the commands, their answers, and the program at its end.
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type RunningServer, startServer } from "./serverProcess.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Ids and times are made anew each time; everything else is what the guide says. */
const settled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "string"
      ? inner.replace(/^[0-9a-f]{8}-[0-9a-f-]{27}$/, "an id").replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "a time")
      : inner))

describe("docs/http.md", () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  const run = async (command: string, ...args: ReadonlyArray<string>): Promise<string> => {
    const { key, url } = server
    const env = { ...process.env, URL: url, KEY: key, TRIBUTARY_URL: url, TRIBUTARY_KEY: key }
    return (await promisify(execFile)(command, args, { env })).stdout
  }

  it("shows what its commands are answered with", async () => {
    const page = await readFile(join(root, "docs/http.md"), "utf8")
    const shown = [...page.matchAll(/```sh\n([^]*?)```\n\n```json\n([^]*?)```/g)]
    assert.lengthOf(shown, page.split("```sh\n").length - 1)
    for (const [, command, answer] of shown) {
      assert.deepStrictEqual(
        settled(JSON.parse(await run("sh", "-c", command!))),
        settled(JSON.parse(answer!)),
        command
      )
    }
  })

  it("shows a program and what it prints", async () => {
    const page = await readFile(join(root, "docs/http.md"), "utf8")
    const [, program, prints] = /```ts\n([^]*?)```\n\nIt prints\n\n```\n([^]*?)```\n/.exec(page)!
    assert.strictEqual(program, await readFile(join(root, "docs/examples/http.ts"), "utf8"))
    assert.strictEqual(await run(process.execPath, join(root, "docs/examples/http.ts")), prints)
  })
})
