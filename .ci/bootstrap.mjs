// Runs a file under the pinned Node, installing first whatever is missing.
// It is itself run by the host's Node (20 or newer), so it is plain JavaScript without dependencies.
//
//   node .ci/bootstrap.mjs [--server] <file> [arguments]
//
// With --server it installs no more than the server and its console need, which is a fraction of what the tests and the
// checks do, and runs a bundle of the file, made at the first start after a change. The console is built while the server
// starts, or before it where memory is small.
//
// The scripts in package.json put `exec` before it: npm signals the shell, and a shell in between passes nothing on.

import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { constants, totalmem } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
const pinnedNode = join(modules, "node", "bin", "node")
const lock = join(modules, ".installing")
const serverLockfile = join(modules, ".server-lock.yaml")

const isServer = process.argv[2] === "--server"
const args = process.argv.slice(isServer ? 3 : 2)

const text = (file) => existsSync(file) ? readFileSync(file, "utf8") : undefined

const lockfile = () => text(join(root, "pnpm-lock.yaml"))

// pnpm leaves a copy of the lockfile behind once everything in it is in place; for a part of it, this script does.
const installed = () =>
  existsSync(pinnedNode) &&
  (lockfile() === text(join(modules, ".pnpm", "lock.yaml")) || isServer && lockfile() === text(serverLockfile))

const SERVER = [
  "--prod",
  "--filter",
  "tributary-monorepo",
  "--filter-prod",
  "@tributary/server...",
  "--filter-prod",
  "@tributary/console..."
]

const run = (command, args, options, hear) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    child.stderr?.on("data", hear)
    const forward = (signal) => child.kill(signal)
    // A terminal sends SIGINT to the whole process group: the child has it already.
    const onInterrupt = process.stdin.isTTY ? () => {} : forward
    process.on("SIGINT", onInterrupt).on("SIGTERM", forward).on("SIGHUP", forward)
    child.on("error", reject)
    child.on("exit", (code, signal) => {
      process.off("SIGINT", onInterrupt).off("SIGTERM", forward).off("SIGHUP", forward)
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })

const fail = (sentence) => {
  console.error(`tributary: ${sentence}`)
  process.exit(1)
}

const alive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === "EPERM"
  }
}

// The holder's process id is in the lock. Ids come round again, so the lock of a dead holder also ages.
const abandoned = () => {
  const holder = Number(text(lock) ?? 0)
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return holder === process.pid || !alive(holder) || Date.now() - made > 15 * 60_000
}

/** One install at a time. */
const acquire = async () => {
  mkdirSync(modules, { recursive: true })
  for (let isReported = false;; isReported = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" })
      // Another process that saw the same abandoned lock may remove this one instead: look again.
      await sleep(50)
      if (text(lock) === String(process.pid)) return
    } catch (error) {
      if (error.code !== "EEXIST") throw error
      if (abandoned()) rmSync(lock, { force: true })
      else if (!isReported) console.error("tributary: waiting for another install in this folder")
      await sleep(200)
    }
  }
}

const release = () => {
  if (text(lock) === String(process.pid)) rmSync(lock, { force: true })
}

/** Node for this platform, with its hash in the lockfile. The script of the package `node` would fetch it without one. */
const checkedNode = join(modules, `node-${process.platform}-${process.arch}`, "bin", "node")

const replaceByChecked = () => {
  if (!existsSync(checkedNode)) return
  if (existsSync(pinnedNode) && readFileSync(pinnedNode).equals(readFileSync(checkedNode))) return
  mkdirSync(dirname(pinnedNode), { recursive: true })
  rmSync(pinnedNode, { force: true })
  linkSync(checkedNode, pinnedNode)
}

const install = async () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // Behind the plus stands the hash, which Corepack checks.
  const [pnpm] = packageManager.split("+")
  console.error(`tributary: installing what is missing with ${pnpm} (first start only)`)
  // Standard output belongs to the command that follows.
  const quiet = { cwd: root, stdio: ["ignore", 2, 2] }
  const code = await run("npx", ["--yes", pnpm, "install", "--frozen-lockfile", ...isServer ? SERVER : []], quiet)
  if (code > 128) process.exit(code)
  if (code !== 0) fail("the install failed (see above). It needs a registry and a lockfile that fits the manifests.")
  replaceByChecked()
  // For another platform, the package's own script fetches it.
  if (!existsSync(pinnedNode)) {
    await run(process.execPath, ["installArchSpecificPackage.js"], { ...quiet, cwd: join(modules, "node") })
  }
  if (!existsSync(pinnedNode)) fail("the install ended without the pinned Node. Remove node_modules and start again.")
}

if (!installed()) {
  try {
    await acquire()
    process.on("exit", release)
    if (!installed()) {
      await install()
      if (isServer) writeFileSync(serverLockfile, lockfile())
    }
    release()
  } catch (error) {
    fail(`the install could not run: ${error.message}`)
  }
}

/** The files of the server, by which a bundle of them is found again. */
const sources = () =>
  [...readdirSync(join(root, "packages")).map((name) => join("packages", name)), "apps/server"].flatMap((folder) => [
    join(folder, "package.json"),
    ...readdirSync(join(root, folder, "src"), { recursive: true }).map((name) => join(folder, "src", name))
  ])

/** Like make, it compares times. */
const bundleFolder = () => {
  const hash = createHash("sha256").update(lockfile())
  for (const file of [...sources(), ".ci/bundle.ts"]) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`\0${file}\0${mtimeMs}\0${size}`)
  }
  return join(modules, ".cache", "server", hash.digest("hex").slice(0, 16))
}

/** The build of the console and the start together, or the bundler alone, take some 700 MB. */
const isSmall = Math.min(totalmem(), process.constrainedMemory?.() || Infinity) < 1_000_000_000

const USER = /^(\d+)\.pid$/

/** A server loads parts of its bundle when it needs them, as long as it runs. */
const isUsed = (folder) =>
  readdirSync(folder).some((name) => {
    const [, pid] = USER.exec(name) ?? []
    return pid !== undefined && alive(Number(pid))
  })

const removeUnused = (cache) => {
  const finished = readdirSync(cache).filter((name) => !name.includes(".")).map((name) => join(cache, name))
  for (const folder of finished.filter((folder) => !isUsed(folder))) rmSync(folder, { recursive: true, force: true })
}

/** The bundled file, or the file itself where it is not bundled. */
const bundled = async (file) => {
  const folder = bundleFolder()
  const main = join(folder, "main.js")
  const user = join(folder, `${process.pid}.pid`)
  let said = ""
  try {
    if (!existsSync(main) && !isSmall) {
      mkdirSync(dirname(folder), { recursive: true })
      removeUnused(dirname(folder))
      const options = { cwd: root, stdio: ["ignore", 2, "pipe"] }
      const code = await run(pinnedNode, [".ci/bundle.ts", folder], options, (text) => said += text)
      if (code > 128) process.exit(code)
    }
    writeFileSync(user, "")
    process.on("exit", () => rmSync(user, { force: true }))
  } catch (error) {
    // In a folder that cannot be written, what is there is used.
    said ||= error.message
  }
  if (existsSync(main)) return main
  if (!isSmall) {
    const reason = /^.*error.*$/im.exec(said)?.[0] ?? said.trim()
    console.error(`tributary: the server runs from its sources, because they could not be bundled: ${reason}`)
  }
  return file
}

const isServe = isServer && args[1] === "serve"

if (isServe) {
  const build = [pinnedNode, ["apps/console/build.ts"], { cwd: root, stdio: "ignore" }]
  if (isSmall) {
    const code = await run(...build).catch(() => 0)
    if (code > 128) process.exit(code)
  } else {
    // In the background: the first visit finds the console, or waits for it.
    spawn(...build).once("error", () => {}).unref()
  }
}

const program = isServer ? [await bundled(args[0]), ...args.slice(1)] : args
const options = isServe ? ["--import", new URL("stopWithParent.mjs", import.meta.url).href] : []

const path = [join(modules, ".bin"), process.env.PATH].join(delimiter)
process.exitCode = await run(pinnedNode, [...options, ...program], {
  cwd: root,
  // What Node compiles of a program is kept for the next one that loads it: tests start many.
  env: { NODE_COMPILE_CACHE: join(modules, ".cache", "compiled"), ...process.env, PATH: path },
  // A server reads nothing: its standard input closes when this process ends.
  stdio: [isServe ? "pipe" : "inherit", "inherit", "inherit"]
})
