/** A Postgres with a synchronous standby, and one address for the current primary. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../../../../packages/sources/test/support/programs.ts"
import { asPostgres, serving, startInstalledPostgres } from "../../installedPostgres.ts"
import { eventually } from "./nodes.ts"

const STANDBY = "standby"

/** A proxy that can switch to another target, which closes its connections. */
const way = async (first: number) => {
  const ends = new Set<Socket>()
  const to = { port: first }
  const server = createServer((near) => {
    const far = connect(to.port, "127.0.0.1")
    for (const [end, other] of [[near, far], [far, near]] as const) {
      ends.add(end)
      end.on("error", () => other.destroy()).on("close", () => other.destroy() && ends.delete(end))
      end.pipe(other)
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const lose = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    lead: (port: number) => {
      to.port = port
      lose()
    },
    close: () => {
      server.close()
      lose()
    }
  }
}

export interface Replicated {
  /** Of the primary. */
  readonly url: string
  /** Kills the primary as by kill -9, and promotes the standby. */
  failOver(): Promise<void>
  close(): Promise<void>
}

/** Null if no Postgres is installed. */
export const startReplicated = async (): Promise<Replicated | null> => {
  const primary = await startInstalledPostgres({ settings: [`synchronous_standby_names=${STANDBY}`] })
  if (primary === null) return null
  const { programs } = primary
  const ask = (url: string, statement: string): string =>
    execFileSync(join(programs, "psql"), [url, "-Atc", statement], { encoding: "utf8" }).trim()

  const folder = mkdtempSync(join(tmpdir(), "tributary-standby-"))
  chmodSync(folder, 0o777)
  const [data, port] = [join(folder, "data"), await freePort()]
  execFileSync(...asPostgres(join(programs, "pg_basebackup"), "-d", primary.url, "-D", data, "-R", "-c", "fast"), {
    cwd: folder,
    stdio: "pipe"
  })
  const settings = ["fsync=off", `cluster_name=${STANDBY}`, "synchronous_standby_names="]
  const standby = spawn(...asPostgres(join(programs, "postgres"), ...serving(data, port, settings)), {
    cwd: folder,
    stdio: "ignore"
  })
  const ended = once(standby, "exit")
  await eventually(
    "the standby has what the primary acknowledges",
    async () => ask(primary.url, "SELECT sync_state FROM pg_stat_replication") === "sync"
  )
  const leading = await way(Number(new URL(primary.url).port))
  const at = (port: number) => Object.assign(new URL(primary.url), { port: String(port) }).href
  return {
    url: at(leading.port),
    failOver: async () => {
      await primary.kill()
      ask(at(port), "SELECT pg_promote(true, 60)")
      leading.lead(port)
    },
    close: async () => {
      leading.close()
      standby.kill("SIGINT")
      await Promise.all([ended, primary.close()])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
