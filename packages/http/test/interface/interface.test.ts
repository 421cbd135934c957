// One of the files beside this one tests each section of interface.md on the wire.
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { INTERFACE } from "../support/interface.ts"

describe("The tests of interface.md", () => {
  it("have every section, once", () => {
    const folder = fileURLToPath(new URL(".", import.meta.url))
    const tried = readdirSync(folder).filter((name) => name.startsWith("interface-")).flatMap((name) =>
      [...readFileSync(folder + name, "utf8").matchAll(/^section\("([^"]+)"/gm)].map(([, section]) => section!)
    )
    assert.deepStrictEqual(tried.sort(), Object.keys(INTERFACE).sort())
  })
})
