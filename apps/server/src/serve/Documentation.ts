/** The product's own guides, one document per section, so that answers cite sections. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

interface Section {
  readonly external_id: string
  readonly title: string
  readonly text: string
}

/** In a published package the pages are beside its program; in development at the top. */
const homes = [".", "../../../.."].map((path) => fileURLToPath(new URL(path, import.meta.url)))

const slug = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")

/** Splits at second-level headings outside of code; text before the first one is a separate section. */
export const sectionsOf = (path: string, markdown: string): ReadonlyArray<Section> => {
  const page = /^# (.+)$/m.exec(markdown)?.[1] ?? path
  const parts: Array<{ heading: string | null; lines: Array<string> }> = [{ heading: null, lines: [] }]
  let inCode = false
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) inCode = !inCode
    if (!inCode && line.startsWith("## ")) parts.push({ heading: line.slice(3).trim(), lines: [] })
    else if (inCode || !line.startsWith("# ")) parts.at(-1)!.lines.push(line)
  }
  return parts.flatMap(({ heading, lines }) => {
    const text = lines.join("\n").trim()
    return text === "" ? [] : [{
      external_id: heading === null ? path : `${path}#${slug(heading)}`,
      title: heading === null ? page : `${page}: ${heading}`,
      text
    }]
  })
}

/** Written for users: without the reference, the decisions and the tables of figures, which are for developers. */
const GUIDES = ["docs/*.md", "docs/operate/*.md"]

/** Every section of the guides; empty if they are not installed. */
export const readGuides = (): ReadonlyArray<Section> => {
  const home = homes.find((folder) => existsSync(join(folder, "docs")))
  return home === undefined ?
    [] :
    globSync(GUIDES, { cwd: home, exclude: ["docs/README.md", "docs/benchmarks.md"] }).sort().flatMap((path) =>
      sectionsOf(path.replaceAll("\\", "/"), readFileSync(join(home, path), "utf8"))
    )
}
