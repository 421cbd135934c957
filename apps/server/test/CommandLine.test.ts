import { assert, describe, it } from "vitest"
import { SETTINGS } from "../src/Settings.ts"
import { tributary } from "./serverProcess.ts"

const variables = Object.values(SETTINGS).map(({ variable }) => variable)

describe("tributary", () => {
  it("names every setting that cannot be read, without its value, and ends with 1", async () => {
    const run = tributary(["serve"], {
      TRIBUTARY_PORT: "eighty",
      TRIBUTARY_HOST: "not a host",
      TRIBUTARY_BASE_URL: "ftp://example.com",
      TRIBUTARY_STORAGE: "embedded",
      TRIBUTARY_MEMORY_MB: "lots",
      TRIBUTARY_ADMIN_TOKEN: "too-short-a-secret",
      TRIBUTARY_LOG_FORMAT: "xml",
      TRIBUTARY_LOG_LEVEL: "loud"
    })
    assert.strictEqual(await run.ended, 1)
    assert.deepStrictEqual(run.output.stderr.trim().split("\n").map((line) => line.split(" ")[0]), variables)
    assert.notInclude(run.output.stderr, "too-short-a-secret")
    assert.strictEqual(run.output.stdout, "")
  })

  it("lists every setting with --help", async () => {
    const run = tributary(["serve", "--help"])
    assert.strictEqual(await run.ended, 0)
    for (const { meaning, standard, variable } of Object.values(SETTINGS)) {
      for (const text of [variable, meaning, standard]) assert.include(run.output.stdout, text)
    }
  })

  it.each([
    [["dance"], "there is no command \"dance\""],
    [[], "a command is missing"],
    [["serve", "--loud"], "cannot read \"--loud\""],
    [["serve", "twice"], "cannot read \"twice\""]
  ])("refuses %j with code 2 and says what there is", async (args, problem) => {
    const run = tributary(args)
    assert.strictEqual(await run.ended, 2)
    assert.include(run.output.stderr, problem)
    assert.include(run.output.stderr, "serve")
    assert.strictEqual(run.output.stdout, "")
  })
})
