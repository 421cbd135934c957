/** The files at the given paths, and in the given folders. */
import { errorCode } from "@tributary/node/errors"
import { readProblem } from "@tributary/node/fileProblem"
import { readdirSync, type Stats, statSync } from "node:fs"
import { join, normalize, sep } from "node:path"

export interface File {
  readonly path: string
  /** The path as given, with slashes, which is the id of the document. */
  readonly id: string
  readonly bytes: number
}

/** A file that cannot be ingested, with the reason. */
export interface Problem {
  readonly path: string
  readonly problem: string
}

/** Supported file types by file name extension. */
const FORMATS: Readonly<
  Record<string, "text/plain" | "text/markdown" | "text/html" | "json" | "jsonl" | "upload">
> = {
  ".txt": "text/plain",
  ".text": "text/plain",
  ".log": "text/plain",
  ".rst": "text/plain",
  ".adoc": "text/plain",
  ".org": "text/plain",
  ".tex": "text/plain",
  ".srt": "text/plain",
  ".vtt": "text/plain",
  ".md": "text/markdown",
  ".markdown": "text/markdown",
  ".html": "text/html",
  ".htm": "text/html",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".jsonl.gz": "jsonl",
  ".ndjson.gz": "jsonl",
  ".pdf": "upload",
  ".docx": "upload",
  ".pptx": "upload",
  ".xlsx": "upload",
  ".odt": "upload",
  ".odp": "upload",
  ".ods": "upload",
  ".rtf": "upload",
  ".epub": "upload",
  ".eml": "upload",
  ".mbox": "upload",
  ".ics": "upload",
  ".vcf": "upload",
  ".xml": "upload",
  ".ipynb": "upload",
  ".mhtml": "upload",
  ".mht": "upload",
  ".csv": "upload",
  ".tsv": "upload"
}

export const formatOf = (path: string) => {
  const ending = Object.keys(FORMATS).find((ending) => path.toLowerCase().endsWith(ending))
  return ending === undefined ? undefined : FORMATS[ending]
}

const fileOf = (path: string, { size }: Stats): File => ({ path, id: path.split(sep).join("/"), bytes: size })

const isPassedOver = (name: string): boolean => name.startsWith(".") || name === "node_modules"

/** In the order of their names, without hidden ones, `node_modules` and unsupported extensions. */
const inFolder = (folder: string, found: Array<File>, problems: Array<Problem>): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(folder, entry.name)
    if (isPassedOver(entry.name)) continue
    if (entry.isDirectory()) attempt(path, problems, () => inFolder(path, found, problems))
    else if (entry.isFile() && formatOf(path) !== undefined) {
      attempt(path, problems, () => void found.push(fileOf(path, statSync(path))))
    }
  }
}

const attempt = (path: string, problems: Array<Problem>, act: () => void): void => {
  try {
    act()
  } catch (error) {
    const problem = readProblem(error)
    problems.push({ path, problem: errorCode(error) === "ENOENT" ? problem : `it cannot be read: ${problem}` })
  }
}

export const findFiles = (paths: ReadonlyArray<string>) => {
  const files: Array<File> = []
  const problems: Array<Problem> = []
  for (const given of paths) {
    const path = normalize(given)
    attempt(given, problems, () => {
      const stats = statSync(path)
      if (stats.isDirectory()) return inFolder(path, files, problems)
      if (formatOf(path) !== undefined) return void files.push(fileOf(path, stats))
      problems.push({ path: given, problem: `its name must end in one of ${Object.keys(FORMATS).join(" ")}` })
    })
  }
  return { files, problems }
}
