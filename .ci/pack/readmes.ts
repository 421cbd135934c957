// The READMEs of the published packages, which npm shows: no file of the repository is beside them there.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Package } from "./pack.ts"
import { root } from "../pnpm.ts"

/** Where the guides can be read: the server's package contains them, and unpkg serves the files of any package. */
const GUIDES = "https://unpkg.com/@tributary/server/dist/docs/"

const PACKAGES = "https://www.npmjs.com/package/"

const linkProblem = (link: string, names: ReadonlySet<string>): string | undefined => {
  if (link.startsWith(GUIDES)) {
    return existsSync(join(root, "docs", link.slice(GUIDES.length))) ? undefined : "is no guide"
  }
  if (link.startsWith(PACKAGES)) return names.has(link.slice(PACKAGES.length)) ? undefined : "is no package of ours"
  return link.startsWith("https://") ? undefined : "leads nowhere from npm"
}

/** Every package has a README with its name, and links that work from anywhere. */
export const readmeProblems = (packages: ReadonlyArray<Package>): ReadonlyArray<string> => {
  const names = new Set(packages.map(({ manifest: { name } }) => name))
  return packages.flatMap(({ folder, manifest: { name } }) => {
    const file = join(folder, "README.md")
    if (!existsSync(file)) return [`${name}: no README.md`]
    const text = readFileSync(file, "utf8")
    const title = text.startsWith(`# ${name}\n`) ? [] : [`${name}: README.md does not begin with the name`]
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].flatMap(([, link]) => {
      const problem = linkProblem(link!, names)
      return problem === undefined ? [] : [`${name}: README.md: ${link} ${problem}`]
    })
    return [...title, ...links]
  })
}
