/** A connection of a tenant to a real source, as clients see it. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { ADMIN_TOKEN, eventually } from "./nodes.ts"
import type { RealSource } from "./realSources.ts"
import { request, Tenant } from "./Tenant.ts"

type Node = Pick<RunningServer, "url">

interface State {
  readonly resource: string
  readonly status: string
  readonly completed_windows: number
  readonly total_windows: number
  readonly items_ingested: number
  readonly items_deleted: number
  readonly deletions_held: number
  readonly rejected: ReadonlyArray<{ readonly external_id: string }>
  readonly last_synced_at: string | null
  readonly error: string | null
}

interface Connection {
  readonly resources: ReadonlyArray<string>
  readonly status: string
  readonly error: string | null
}

interface Event {
  readonly type: string
  readonly external_id: string
}

const INTERVAL = { interval_minutes: 43_200 }

export class Pulled {
  readonly tenant: Tenant
  readonly #id: string
  readonly #resource: string

  private constructor(tenant: Tenant, id: string, resource: string) {
    this.tenant = tenant
    this.#id = id
    this.#resource = resource
  }

  /** No scheduled sync runs before a test is over. */
  static async connect(
    node: Node,
    provider: string,
    { config, password, resource }: Pick<RealSource, "config" | "password" | "resource">,
    limits: object = {}
  ): Promise<Pulled> {
    const tenant = await Tenant.open(node, { documents: 100_000, ...limits })
    const { connection_id } = await tenant.ask<{ readonly connection_id: string }>(node, "POST", "/v1/connections", {
      provider,
      name: provider,
      config: { ...config, ...(password === null ? {} : { password }) },
      sync_config: { start: null, ...INTERVAL }
    })
    return new Pulled(tenant, connection_id, resource)
  }

  async state(node: Node): Promise<State> {
    const states = await this.tenant.ask<ReadonlyArray<State>>(node, "GET", this.#path("/sync"))
    return states.find(({ resource }) => resource === this.#resource)!
  }

  connection(node: Node): Promise<Connection> {
    return this.tenant.ask(node, "GET", this.#path(""))
  }

  /** Waits for the end of running syncs. */
  over(node: Node): Promise<State> {
    return eventually("the sync is over", async () => {
      const state = await this.state(node)
      return state.status !== "pending" && state.status !== "running" && state
    })
  }

  async start(node: Node): Promise<void> {
    await this.tenant.ask(node, "POST", this.#path("/sync"))
  }

  async sync(node: Node): Promise<State> {
    await this.start(node)
    return this.over(node)
  }

  /** Its documents remain. */
  async disconnect(node: Node): Promise<void> {
    await this.tenant.ask(node, "DELETE", this.#path(""))
  }

  async cancel(node: Node): Promise<State> {
    return this.tenant.ask(node, "DELETE", this.#path(`/sync/${this.#resource}`))
  }

  async documents(node: Node): Promise<number> {
    const { entitlements } = await this.tenant.ask<
      { readonly entitlements: { readonly documents: { readonly used: number } } }
    >(node, "GET", "/v1/usage/current")
    return entitlements.documents.used
  }

  /** The changed external ids since this many events, by kind, sorted; and the number of all events. */
  async changes(node: Node, after = 0) {
    type Page = { readonly events: ReadonlyArray<Event>; readonly next_cursor: string | null }
    const found: Array<Event> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const page: Page = await this.tenant.ask(node, "GET", `/v1/runtime/events?limit=100${more}`)
      found.push(...page.events)
      cursor = page.next_cursor
    }
    const of = (type: string) =>
      found.slice(after).filter((event) => event.type === `document.${type}`).map((event) => event.external_id)
        .toSorted()
    return {
      count: found.length,
      difference: { created: of("created"), updated: of("updated"), deleted: of("deleted") }
    }
  }

  async raise(node: Node, limits: object): Promise<void> {
    const { status } = await request(node, ADMIN_TOKEN, "PATCH", `/admin/v1/workspaces/${this.tenant.workspaceId}`, {
      limits
    })
    assert.strictEqual(status, 200)
  }

  #path(rest: string): string {
    return `/v1/connections/${this.#id}${rest}`
  }
}
