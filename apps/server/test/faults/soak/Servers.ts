/** The servers of a store. Each is ended now and then, and started again. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { eventually, start } from "../support/nodes.ts"
import type { TestStore } from "../support/stores.ts"

export class Servers {
  readonly store: TestStore
  readonly #count: number
  /** Null while it is restarted. */
  #running: Array<RunningServer | null> = []
  /** By position. One that fails stays, and fails every operation that waits for it. */
  readonly #restarts = new Map<number, Promise<void>>()
  readonly #ended = new Set<RunningServer>()
  readonly #names = new Map<RunningServer, string>()
  ends = 0

  constructor(store: TestStore, count: number) {
    this.store = store
    this.#count = count
  }

  async start(): Promise<void> {
    this.#running = await Promise.all(Array.from({ length: this.#count }, (_, at) => this.#begin(at)))
  }

  /** Its position, and how many servers had ended before it started. */
  nameOf(node: RunningServer): string {
    return this.#names.get(node)!
  }

  async #begin(at: number): Promise<RunningServer> {
    const name = `server ${at} after ${this.ends} ends`
    const node = await start(this.store)
    this.#names.set(node, name)
    return node
  }

  up(): ReadonlyArray<RunningServer> {
    return this.#running.filter((node) => node !== null)
  }

  /** One of those that are running, or else the next that does. */
  async any(choice: number): Promise<RunningServer> {
    if (this.up().length === 0) await Promise.race(this.#restarts.values())
    const nodes = this.up()
    return nodes[choice % nodes.length]!
  }

  /** Only a server that was ended may leave a request without a response. */
  wasEnded(node: RunningServer): boolean {
    return this.#ended.has(node)
  }

  /** Ends one, unless it is ending already. */
  end(choice: number, how: "SIGKILL" | "SIGTERM"): void {
    const at = choice % this.#running.length
    const node = this.#running[at]
    if (node === null || node === undefined) return
    this.ends++
    this.#running[at] = null
    this.#ended.add(node)
    node.child.kill(how)
    this.#restarts.set(at, this.#restart(at, node, how))
  }

  async #restart(at: number, node: RunningServer, how: "SIGKILL" | "SIGTERM"): Promise<void> {
    const code = await node.ended
    if (how === "SIGTERM") assert.strictEqual(code, 0, `the exit code after SIGTERM: ${node.output.stderr}`)
    const recover = this.store.kind === "postgres" ? await this.#endedNow() : null
    const next = await this.#begin(at)
    await recover?.()
    this.#running[at] = next
    this.#restarts.delete(at)
  }

  /** Postgres completes the statements of a server that has ended, whose leases of 30 seconds would go on. */
  async #endedNow(): Promise<() => Promise<void>> {
    const { query, schema } = this.store
    const [now] = await query<{ readonly at: string }>("SELECT now()::text AS at")
    return async () => {
      await eventually("what was sent is over", async () => {
        const running = await query(`SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()
          AND query LIKE '%${schema}%' AND query_start < '${now!.at}'`)
        return running.length === 0
      })
      await query(`UPDATE ${schema}.jobs SET lease_until = now() WHERE status = 'running'
        AND lease_until < timestamptz '${now!.at}' + interval '30 seconds'`)
    }
  }

  /** Waits until all are running and nothing of an ended one is. */
  async settled(): Promise<void> {
    while (this.#restarts.size > 0) await Promise.all(this.#restarts.values())
  }

  async stop(): Promise<void> {
    await this.settled()
    for (const node of this.up()) assert.strictEqual(await node.stop(), 0)
  }
}
