/** The built console, loaded once. Requests never reach the file system. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export interface ConsoleFile {
  readonly contentType: string
  readonly etag: string
  /** By content coding; `identity` is the file itself. */
  readonly bodies: Readonly<Record<string, Uint8Array>>
}

/** By their paths below `/console/`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

const CODINGS = { br: ".br", gzip: ".gz" }

const etagOf = (identity: Uint8Array): string =>
  `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`

/** The page with the addresses of its files, which are written from the root of the host, below this folder. */
export const pageWithin = ({ bodies, contentType }: ConsoleFile, folder: string): ConsoleFile => {
  const page = Buffer.from(bodies["identity"]!).toString().replaceAll(`"/console/`, `"${folder}`)
  const identity = Buffer.from(page)
  return { contentType, etag: etagOf(identity), bodies: { identity } }
}

const readConsoleFile = (path: string): ConsoleFile => {
  const identity = readFileSync(path)
  const coded = Object.entries(CODINGS).filter(([, ending]) => existsSync(path + ending))
  return {
    contentType: TYPES[extname(path)] ?? "application/octet-stream",
    etag: etagOf(identity),
    bodies: Object.fromEntries([
      ...coded.map(([coding, ending]) => [coding, readFileSync(path + ending)] as const),
      ["identity", identity]
    ])
  }
}

const readConsole = (folder: string): ConsoleFiles =>
  new Map(
    globSync("**/*", { cwd: folder })
      .filter((file) => !/\.(br|gz)$/.test(file) && statSync(join(folder, file)).isFile())
      .map((file) => [file.replaceAll("\\", "/"), readConsoleFile(join(folder, file))])
  )

const PUBLISHED = fileURLToPath(new URL("console", import.meta.url))
const SOURCES = fileURLToPath(new URL("../../../console/build.ts", import.meta.url))

/** A published package contains the build; in development it is built from the sources. Null if neither exists. */
export const loadConsole = async (): Promise<ConsoleFiles | null> => {
  if (existsSync(join(PUBLISHED, "index.html"))) return readConsole(PUBLISHED)
  if (!existsSync(SOURCES)) return null
  const { stdout } = await promisify(execFile)(process.execPath, [SOURCES])
  return readConsole(stdout.trim())
}
