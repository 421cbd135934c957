/**
 * An open knowledge service in this process. Its workspaces are used through the client's own face, so code that is
 * written for one works with the other; there is no port, and there are no keys.
 */
import { type Client, createClient } from "@tributary/client"
import type { Connection } from "@tributary/client"
import { createOperator } from "@tributary/client/operator"
import type { WorkspacePatch } from "@tributary/core/model/Workspace"
import type { InProcess } from "./inProcess.ts"
import { BASE_URL } from "./transport.ts"

/** How calls are tried. In one process nothing gets lost, so unless told otherwise a call is tried once. */
export type Calls = Pick<Connection, "timeout" | "attemptTimeout" | "retries">

export interface NewWorkspace extends Pick<WorkspacePatch, "limits"> {
  readonly name: string
  /** The plan, `pro` unless told: the limits of the others are for guests, not for a host's own code. */
  readonly tier?: WorkspacePatch["tier"]
}

/** Everything that a client of this workspace can do; what concerns knowledge is at hand directly, too. */
export interface Workspace extends Client, Omit<Client["knowledge"], never> {
  readonly id: string
}

export class KnowledgeBase {
  readonly #process: InProcess
  readonly #calls: Calls
  readonly #operator: ReturnType<typeof createOperator>
  #account: Promise<string> | undefined

  constructor(process: InProcess, calls: Calls) {
    this.#process = process
    this.#calls = { retries: { attempts: 1 }, ...calls }
    this.#operator = createOperator(this.#connection(process.operatorToken))
  }

  #connection(apiKey: string): Connection {
    return { ...this.#calls, baseUrl: BASE_URL, apiKey, fetch: this.#process.fetch }
  }

  /** The account that the host's own workspaces belong to: the first there is, or a new one. */
  async #hostAccount(): Promise<string> {
    for await (const { account_id } of this.#operator.workspaces.list({ limit: 1 })) return account_id
    return (await this.#operator.accounts.create({ name: "Host", tier: "pro" })).account_id
  }

  async createWorkspace({ limits, name, tier = "pro" }: NewWorkspace): Promise<Workspace> {
    this.#account ??= this.#hostAccount()
    const { workspace_id } = await this.#operator.workspaces.create({ account_id: await this.#account, name })
    await this.#operator.workspaces.update(workspace_id, limits === undefined ? { tier } : { tier, limits })
    return this.workspace(workspace_id)
  }

  /** Nothing is looked up: calls to a workspace that is not there fail. */
  workspace(id: string): Workspace {
    const client = createClient(this.#connection(this.#process.credentialFor(id)))
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
