/**
 * An open knowledge service in this process. Its workspaces are used through the client's own face, so code that is
 * written for one works with the other; there is no port, and there are no keys.
 */
import { type Client, createClients, type Service } from "@tributary/client"
import { createOperator, type Operator } from "@tributary/client/operator"
import type { WorkspacePatch } from "@tributary/core/model/Workspace"
import type { InProcess } from "./inProcess.ts"
import { BASE_URL } from "./transport.ts"

/** How calls are tried. In one process nothing gets lost, so unless told otherwise a call is tried once. */
export type Calls = Pick<Service, "timeout" | "attemptTimeout" | "retries">

export interface NewWorkspace extends Pick<WorkspacePatch, "limits"> {
  readonly name: string
  /** The plan, `pro` unless told: the limits of the others are for guests, not for a host's own code. */
  readonly tier?: WorkspacePatch["tier"]
}

type Knowledge = Client["knowledge"]

/** Everything that a client of this workspace can do; what concerns knowledge is at hand directly, too. */
export interface Workspace extends Client, Knowledge {
  readonly id: string
}

export class KnowledgeBase {
  readonly #process: InProcess
  readonly #operator: Operator
  readonly #clients: (apiKey: string) => Client
  #account: Promise<string> | undefined

  constructor(process: InProcess, calls: Calls) {
    const service = { retries: { attempts: 1 }, ...calls, baseUrl: BASE_URL, fetch: process.fetch }
    this.#process = process
    this.#operator = createOperator({ ...service, apiKey: process.operatorToken })
    this.#clients = createClients(service)
  }

  /** The account that the host's own workspaces belong to: the first there is, or a new one. */
  async #findAccount(): Promise<string> {
    for await (const { account_id } of this.#operator.workspaces.list({ limit: 1 })) return account_id
    return (await this.#operator.accounts.create({ name: "Host", tier: "pro" })).account_id
  }

  /** Looked for once, so that two callers at a time do not make two; again when that failed. */
  #hostAccount(): Promise<string> {
    return this.#account ??= this.#findAccount().catch((error: unknown) => {
      this.#account = undefined
      throw error
    })
  }

  async createWorkspace({ limits, name, tier = "pro" }: NewWorkspace): Promise<Workspace> {
    const made = await this.#operator.workspaces.create({ account_id: await this.#hostAccount(), name })
    if (limits !== undefined || made.tier !== tier) {
      await this.#operator.workspaces.update(made.workspace_id, limits === undefined ? { tier } : { tier, limits })
    }
    return this.workspace(made.workspace_id)
  }

  /** Nothing is looked up: calls to a workspace that is not there fail. */
  workspace(id: string): Workspace {
    const client = this.#clients(this.#process.credentialFor(id))
    return { id, ...client, ...client.knowledge }
  }

  /** All workspaces, oldest first. */
  workspaces() {
    return this.#operator.workspaces.list()
  }

  /** Plan, limits, suspension. */
  updateWorkspace(id: string, patch: WorkspacePatch) {
    return this.#operator.workspaces.update(id, patch)
  }

  /** Gone at once; what it held is erased in the background. */
  deleteWorkspace(id: string) {
    return this.#operator.workspaces.delete(id)
  }

  /** Calls that are under way finish, background work stops, and storage is let go. */
  close(): Promise<void> {
    return this.#process.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
