/** Real documents. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** Manuals as people write them: headings, tables, code, links. */
export const DOCUMENTS = globSync("{README.md,docs/**/*.md,node_modules/{vitest,oxlint,vite}/*.md}", { cwd: root })
  .map((file) => readFileSync(join(root, file), "utf8").slice(0, 30_000)).filter((text) => text.length > 400)
