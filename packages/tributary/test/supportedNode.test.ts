import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"

const front = new URL("../src/open.ts", import.meta.url).href

/** What an import of the package ends with under a Node that says it is of this version. */
const importedUnder = async (version: string): Promise<string> => {
  const pretending = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`
  const program = `await import(${
    JSON.stringify(front)
  }).then(() => console.log("imported"), ({ message }) => console.log(message))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    pretending,
    "--input-type=module",
    "--eval",
    program
  ])
  return stdout.trim()
}

describe("The command", () => {
  it("refuses an old Node with a sentence", async () => {
    const command = fileURLToPath(new URL("../../../apps/server/src/main.ts", import.meta.url))
    const old = "data:text/javascript,Object.defineProperty(process.versions,\"node\",{value:\"20.20.2\"})"
    const said = await promisify(execFile)(process.execPath, ["--import", old, command, "--version"]).then(
      ({ stdout }) => stdout,
      ({ stderr }) => String(stderr)
    )
    assert.include(said, "Error: Tributary needs Node 22.19 or newer, and this is Node 20.20.2.")
  })
})

describe("The package", () => {
  it.each(extent(["22.18.0"], ["20.20.2", "22.18.0"]))(
    "refuses Node %s when it is imported, with a sentence",
    async (version) => {
      assert.strictEqual(
        await importedUnder(version),
        `Tributary needs Node 22.19 or newer, and this is Node ${version}.`
      )
    }
  )

  it.each(extent(["22.19.0"], ["22.19.0", "24.21.0", "26.0.0"]))("takes Node %s", async (version) => {
    assert.strictEqual(await importedUnder(version), "imported")
  })
})
