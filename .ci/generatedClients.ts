/** Clients that two generators create from an OpenAPI document: `sdk/` by hey-api, `types.ts` by openapi-typescript. */
import { createClient } from "@hey-api/openapi-ts"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import openapiTS, { astToString } from "openapi-typescript"
import { ONE_CHECKER } from "./typescript.ts"

/** The module with openapi-typescript's types, without its extension. */
export const OPENAPI_FETCH = fileURLToPath(new URL("../node_modules/openapi-fetch/dist/index", import.meta.url))

const TSCONFIG = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    paths: { "openapi-fetch": [`${OPENAPI_FETCH}.d.mts`] },
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: []
  }
}

/** Fields with a default are optional in requests. */
const OPTIONAL = { defaultNonNullable: false }

/** Generates both clients in a folder. */
export const generateClients = async (document: string, folder: string): Promise<void> => {
  writeFileSync(join(folder, "types.ts"), astToString(await openapiTS(document, OPTIONAL)))
  await createClient({
    input: JSON.parse(document),
    output: { path: join(folder, "sdk") },
    logs: { level: "silent", file: false }
  })
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
}

/** Whether the TypeScript in the folder compiles; prints the errors. */
export const typeChecks = (folder: string): boolean =>
  spawnSync("tsc", ["-p", folder, ...ONE_CHECKER], { stdio: "inherit" }).status === 0
