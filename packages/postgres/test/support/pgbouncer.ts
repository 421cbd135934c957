/** A PgBouncer before the tests' Postgres: each transaction of a client may run on another of its few connections. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { missing } from "../../../../.ci/missing.ts"
import { freePort } from "../../../sources/test/support/programs.ts"

const PROGRAM = "/usr/sbin/pgbouncer"

/** Null if it is not installed: the end of the run reports it, or it fails if one is required. */
export const installedPgbouncer = (): boolean => {
  if (existsSync(PROGRAM)) return true
  missing("TOOLS", "pgbouncer")
  return false
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

export interface Pooled {
  readonly url: string
  close(): void
}

/** It has this many connections to the database at most, and ends with this process. */
export const startPgbouncer = async (database: string, connections: number): Promise<Pooled> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-pgbouncer-"))
  chmodSync(folder, 0o755)
  const [{ hostname, password, pathname, port, username }, listens] = [new URL(database), await freePort()]
  const settings = join(folder, "pgbouncer.ini")
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username}${password === "" ? "" : ` password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`
  )
  // It does not run as root.
  const who = process.getuid?.() === 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
  const child = spawn("/usr/bin/setpriv", ["--pdeathsig=KILL", ...who, PROGRAM, "-q", settings], { stdio: "ignore" })
  for (let waited = 0; !await answers(listens); waited += 50) {
    if (waited > 120_000 || child.exitCode !== null) throw new Error("PgBouncer did not start")
    await pause(50)
  }
  return {
    url: `postgres://127.0.0.1:${listens}${pathname}?user=${username}`,
    close: () => {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
