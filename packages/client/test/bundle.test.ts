// The client runs where there is no Node: its bundle imports nothing, names nothing of Node's, and stays small.
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import type * as Promised from "../src/promise.ts"
import { bundled } from "./support/bundled.ts"

const folder = fileURLToPath(new URL("..", import.meta.url))

const bundle = async (entry: string): Promise<{ readonly code: string; readonly imports: ReadonlyArray<string> }> => {
  const input = `${folder}/src/${entry}.ts`
  const [chunk] = await bundled(folder, { input, preserveEntrySignatures: "strict" })
  return { code: chunk!.code, imports: [...chunk!.imports, ...chunk!.dynamicImports] }
}

describe("The client", () => {
  it("bundles for the browser, alone and small", async () => {
    const { code, imports } = await bundle("promise")
    assert.deepStrictEqual(imports, [])
    assert.notMatch(code, /\brequire\(|\bimport\(|\bBuffer\./)
    assert.isBelow(gzipSync(code).length, 84_000)

    // The bundle itself works: it is asked to call a service that is not there.
    const module = `data:text/javascript,${encodeURIComponent(code)}`
    const { createClient } = await import(/* @vite-ignore */ module) as typeof Promised
    const fetch = () => Promise.resolve(Response.json({ temporal_settings: { start: null, end: null } }))
    const client = createClient({ baseUrl: "http://service", apiKey: "key", fetch })
    assert.deepStrictEqual(await client.knowledge.settings(), { temporal_settings: { start: null, end: null } })
  })

  it("imports only the definition and the models of this repository", () => {
    const names = globSync("**/*.ts", { cwd: `${folder}/src` }).flatMap((file) =>
      [...readFileSync(`${folder}/src/${file}`, "utf8").matchAll(/from "([^".][^"]*)"/g)].map(([, name]) => name!)
    )
    const allowed = /^(effect(\/.*)?|@tributary\/http\/api\/\w+|@tributary\/core\/model\/\w+)$/
    assert.deepStrictEqual(names.filter((name) => !allowed.test(name)), [])
  })
})
