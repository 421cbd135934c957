/** The product's own documentation, one document for each section, so that an answer cites the section it is from. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

interface Section {
  readonly external_id: string
  readonly title: string
  readonly text: string
}

/** In a published package the pages are beside its programs; in development at the top. */
const homes = ["..", "../../../.."].map((path) => fileURLToPath(new URL(path, import.meta.url)))

const slug = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")

/** Splits at second-level headings outside of code; text before the first one is a section of its own. */
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

/** Every section of the pages under `docs`, and nothing where they are not at hand. */
export const readDocumentation = (): ReadonlyArray<Section> => {
  const home = homes.find((folder) => existsSync(join(folder, "docs")))
  return home === undefined ?
    [] :
    globSync("docs/**/*.md", { cwd: home }).sort().flatMap((path) =>
      sectionsOf(path.replaceAll("\\", "/"), readFileSync(join(home, path), "utf8"))
    )
}
