/**
 * An open knowledge service in this process. Its workspaces are used through the client's own face, so code that is
 * written for one works with the other; there is no port, and there are no keys.
 */
import { type Client, createClients, type Pages, type Service, type WorkspacePatch } from "@tributary/client"
import { createOperator, type OperatedWorkspace, type Operator } from "@tributary/client/operator"
import { ValidationError } from "@tributary/client/TributaryError"
import { UNEXPECTED } from "@tributary/core/model/Violation"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HandlerOptions } from "./handlers.ts"
import type { InProcess } from "./inProcess.ts"
import { isObject } from "./rules.ts"
import { BASE_URL } from "./transport.ts"

/** The retry policy of calls. Within one process no answer gets lost, so by default a call is tried once. */
export type Calls = Pick<Service, "timeout" | "attemptTimeout" | "retries">

export interface NewWorkspace extends Pick<WorkspacePatch, "limits"> {
  readonly name: string
  /**
   * The id of the account that it belongs to: workspaces of one account know of each other by name, and its keys may
   * list and make them. A new account by default, so that tenants are strangers to each other.
   */
  readonly account?: string | undefined
  /** The plan, `pro` by default: the limits of the others are for guests, not for a host's own code. */
  readonly tier?: WorkspacePatch["tier"]
}

export interface Health {
  readonly ready: boolean
}

const FIELDS: ReadonlySet<string> = new Set<keyof NewWorkspace>(["name", "account", "limits", "tier"])

/** As the client refuses the unknown fields of every other call. */
const refuseUnknown = (workspace: NewWorkspace): void => {
  if (!isObject(workspace)) throw new TypeError("A new workspace must be an object with a \"name\".")
  const unknown = Object.keys(workspace).filter((name) => !FIELDS.has(name))
  if (unknown.length === 0) return
  const problems = unknown.map((name) => ({ type: UNEXPECTED.type, loc: [name], msg: UNEXPECTED.message }))
  throw new ValidationError({ code: "invalid_request" }, problems)
}

type Knowledge = Client["knowledge"]

/** All methods of a client for this workspace; those under `knowledge` are on the workspace itself, too. */
export interface Workspace extends Client, Knowledge {
  readonly id: string
}

export class KnowledgeBase {
  /** The operator API, without HTTP and without a token: API keys, accounts, sign-in links, the log. */
  readonly operator: Operator
  readonly #process: InProcess
  readonly #clients: (apiKey: string) => Client

  constructor(process: InProcess, calls: Calls) {
    const service = { retries: { attempts: 1 }, ...calls, baseUrl: BASE_URL, fetch: process.fetch }
    this.#process = process
    this.operator = createOperator({ ...service, apiKey: process.operatorToken })
    this.#clients = createClients(service)
  }

  /**
   * Creates a workspace for documents. Unlike one that is created by `operator`, it has no limits unless `tier` or `limits`
   * sets some, and an account of its own unless `account` names one.
   */
  async createWorkspace(workspace: NewWorkspace): Promise<Workspace> {
    refuseUnknown(workspace)
    const { account = this.#process.account, limits, name, tier = "pro" } = workspace
    const { accounts, workspaces } = this.operator
    const account_id = account ?? (await accounts.create({ name, tier: "pro" })).account_id
    let made: string | undefined
    try {
      const created = await workspaces.create({ account_id, name })
      made = created.workspace_id
      if (limits !== undefined || created.tier !== tier) {
        await workspaces.update(made, limits === undefined ? { tier } : { tier, limits })
      }
      return this.workspace(made)
    } catch (error) {
      // A workspace without the limits that were asked for would stay, and its account with it.
      const undo = account === undefined ? accounts.delete(account_id) : made && workspaces.delete(made)
      await Promise.allSettled([undo])
      throw error
    }
  }

  /** A workspace by its id. Nothing is looked up: calls for one that does not exist reject with an `AuthenticationError`. */
  workspace(id: string): Workspace {
    const client = this.#clients(this.#process.credentialFor(id))
    return { id, ...client, ...client.knowledge }
  }

  /** All workspaces, oldest first. */
  workspaces(): Pages<OperatedWorkspace> {
    return this.operator.workspaces.list()
  }

  /** Changes the plan or single limits of a workspace, or suspends it. */
  updateWorkspace(id: string, patch: WorkspacePatch): Promise<OperatedWorkspace> {
    return this.operator.workspaces.update(id, patch)
  }

  /** Deletes a workspace at once; what it held is erased in the background. */
  deleteWorkspace(id: string): ReturnType<Operator["workspaces"]["delete"]> {
    return this.operator.workspaces.delete(id)
  }

  /** Whether the service is ready: its storage answers, and it is not closing. */
  async health(): Promise<Health> {
    const ready = await this.#process.fetch(`${BASE_URL}/readyz`).then(({ ok }) => ok, () => false)
    return { ready }
  }

  /**
   * The HTTP API for a server of the host: a function from `Request` to `Response`. Requests need API keys, or
   * credentials of the host's own that `callers` knows. Ends with `close`.
   */
  handler(options: HandlerOptions): Promise<(request: Request) => Promise<Response>> {
    return this.#process.handler(options)
  }

  /** The same as a listener of `node:http`, for Express and Fastify. Needs the package `@effect/platform-node`. */
  nodeHandler(options: HandlerOptions): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
    return this.#process.nodeHandler(options)
  }

  /** Finishes running requests, stops background work, and releases the storage. `await using` calls it. */
  close(): Promise<void> {
    return this.#process.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
