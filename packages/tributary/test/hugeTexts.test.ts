// How regular expressions are run that are not optimized: a process in which much has been compiled is left with such.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, it } from "@effect/vitest"

const READING = new URL("../../retrieval/test/support/readHugeTexts.ts", import.meta.url)

describe("texts of ten million characters", () => {
  it("are read completely with unoptimized regular expressions", async () => {
    await promisify(execFile)(process.execPath, ["--no-regexp-optimization", fileURLToPath(READING)])
  })
})
