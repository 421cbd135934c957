// A folder of a consumer outside of this repository, with plain npm and a given version of Node.

import { execFile } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"

type Environment = Readonly<Record<string, string | undefined>>

/** Without the settings of the npm that started this, and with the given Node first in PATH. */
export const cleanEnvironment = (node: string): Environment => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name)))
  return { ...env, PATH: [dirname(node), env["PATH"]].join(delimiter) }
}

/** The output of a command; the error of a failed one contains its output. */
export const run = async (
  folder: string,
  command: string,
  args: ReadonlyArray<string>,
  settings: Environment = {}
): Promise<string> => {
  try {
    const env = { ...cleanEnvironment(command), ...settings }
    return (await promisify(execFile)(command, args, { cwd: folder, env })).stdout
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string }
    throw new Error(`${command} ${args.join(" ")}\n${stdout ?? ""}${stderr ?? ""}`, { cause: error })
  }
}

export const emptyFolder = (parent: string, name: string): string => {
  const folder = join(parent, name)
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), "{\"private\":true,\"type\":\"module\"}\n")
  return folder
}

/** The host's npm, which any Node can run. */
const npmProgram = (): string => {
  const npm = process.env["PATH"]!.split(delimiter).map((folder) => join(folder, "npm")).find((path) =>
    existsSync(path)
  )
  if (npm === undefined) throw new Error("there is no npm in PATH")
  return realpathSync(npm)
}

export const install = (folder: string, node: string, packages: ReadonlyArray<string>): Promise<string> => {
  const quick = ["--no-audit", "--no-fund", "--prefer-offline"]
  return run(folder, node, [npmProgram(), "install", "--prefix", folder, ...quick, ...packages])
}

/** The lowest and the highest published version in a range. */
export const published = async (folder: string, name: string, range: string): Promise<readonly [string, string]> => {
  const said = await run(folder, process.execPath, [npmProgram(), "view", `${name}@${range}`, "version", "--json"])
  const versions = [JSON.parse(said) as string | Array<string>].flat()
  const inOrder = versions.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))
  return [inOrder[0]!, inOrder.at(-1)!]
}

/** A Node of this version, from its package for the platform. */
export const fetchNode = async (work: string, version: string): Promise<string> => {
  const { arch, platform } = process
  const name = `${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${platform}-${arch}`
  const folder = emptyFolder(work, `node-${version}`)
  await install(folder, process.execPath, [`${name}@${version}`])
  return join(folder, "node_modules", name, "bin/node")
}

/** Every entry point of an installed package. */
export const entryPoints = (folder: string, name: string): ReadonlyArray<string> => {
  const home = join(folder, "node_modules", name)
  const manifest: { readonly exports: Readonly<Record<string, string | null>> } = JSON.parse(
    readFileSync(join(home, "package.json"), "utf8")
  )
  const exports = Object.entries(manifest.exports)
  const closed = exports.filter(([, target]) => target === null).map(([path]) => path.replace("*", ""))
  const paths = exports.flatMap(([path, target]) => {
    if (target === null) return []
    const [before, after] = target.slice("./".length).split("*") as [string, string | undefined]
    if (after === undefined) return [path]
    return globSync(`${before}**/*${after}`, { cwd: home })
      .map((file) => path.replace("*", file.slice(before.length, -after.length)))
      .filter((path) => !closed.some((prefix) => path.startsWith(prefix)))
  })
  return paths.sort().map((path) => join(name, path))
}
