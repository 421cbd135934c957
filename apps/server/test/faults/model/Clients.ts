/** Runs operations on a workspace, and checks each answer against the ledgers. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { Ledger } from "../support/Ledger.ts"
import { ADMIN_TOKEN, eventually } from "../support/nodes.ts"
import { type Answer, newText, request, type Tenant, wordOf } from "../support/Tenant.ts"
import { isAnswered } from "./isAnswered.ts"
import { DOCUMENTS, type Operation } from "./operations.ts"
import type { PassersBy } from "./PassersBy.ts"

type Act<T> = Extract<Operation["act"], { readonly type: T }>

/** The register of the settings, of the limits, and of the connector's state. */
const ONLY = "only"

/** The words of old texts, and their age in days, which is between two values of the settings. */
const OLD = "zzoldenzz"
const AGE = 455
const STEP = 90
const NOW = Date.now()
const TODAY = new Date(NOW).toISOString()
const LONG_AGO = new Date(NOW - AGE * 86_400_000).toISOString()

interface Citation {
  readonly entity: { readonly external_id: string; readonly quote: string }
}

export class Clients {
  static readonly limits = { documents: DOCUMENTS, storage: 12_000 }
  readonly #tenant: Tenant
  readonly #active = new Ledger()
  readonly #days = new Ledger()
  readonly #limit = new Ledger()
  readonly #passersBy: PassersBy
  /** Asynchronous questions. */
  readonly #jobs = new Set<string>()
  /** The last sent text of an id. */
  readonly #last = new Map<string, string>()
  operations = 0

  constructor(tenant: Tenant, passersBy: PassersBy) {
    this.#tenant = tenant
    this.#passersBy = passersBy
  }

  /** Call it while all servers run and no request is running. */
  settle(): void {
    for (const ledger of [this.#tenant.ledger, this.#active, this.#days, this.#limit]) ledger.settle()
  }

  /** Call it without running operations, and after the documents were checked. */
  async restIsKept(node: RunningServer): Promise<void> {
    const { ledger } = this.#tenant
    const from = this.#days.now()
    const settings = await this.#tenant.ask<
      { readonly temporal_settings: { readonly start: { readonly days: number } } }
    >(node, "GET", "/v1/knowledge/settings")
    const { days } = settings.temporal_settings.start
    const possible = this.#days.possible(ONLY, from)
    assert.isTrue(possible.has(String(days)) || possible.has(null), `${days} days, not ${[...possible].join(" or ")}`)
    for (const { external_id, in_context } of await this.#tenant.documents(node)) {
      const [text] = ledger.possible(external_id, ledger.now())
      assert.strictEqual(in_context, days > AGE || !text!.includes(OLD), `${external_id} in a range of ${days} days`)
    }
    for (const id of this.#jobs) {
      const job = await this.#tenant.ask<{ readonly status: string }>(node, "GET", `/v1/knowledge/ask/jobs/${id}`)
      assert.include(["succeeded", "cancelled"], job.status)
    }
  }

  /** Deletes the connector with its documents, and activates it again afterwards. */
  async emptyWith(node: RunningServer, meanwhile: () => Promise<RunningServer>): Promise<void> {
    const path = `/v1/custom-connectors/${this.#tenant.connectorId}`
    const { ledger } = this.#tenant
    const write = ledger.begin(new Map(ledger.ids().map((id) => [id, null])))
    await this.#tenant.ask(node, "DELETE", `${path}?delete_documents=true`)
    const next = await meanwhile()
    await eventually("the documents are gone", async () => (await this.#tenant.documents(next)).length === 0)
    write.done()
    await this.run(next, { type: "setActive", isActive: true })
  }

  /** False if there was no response. */
  async run(node: RunningServer, act: Operation["act"]): Promise<boolean> {
    this.operations++
    switch (act.type) {
      case "ingest":
        return await this.#ingest(node, act)
      case "remove":
        return isAnswered(await this.#tenant.remove(node, act.ids), [200])
      case "removeOne":
        return await this.#removeOne(node, act)
      case "setActive":
        return await this.#write(
          this.#active,
          String(act.isActive),
          () =>
            this.#tenant.send(node, "PATCH", `/v1/custom-connectors/${this.#tenant.connectorId}`, {
              is_active: act.isActive
            })
        )
      case "configure":
        return await this.#write(
          this.#days,
          String(act.days * STEP),
          () => this.#tenant.configure(node, act.days * STEP)
        )
      case "limit":
        return await this.#write(
          this.#limit,
          String(act.documents),
          () =>
            request(node, ADMIN_TOKEN, "PATCH", `/admin/v1/workspaces/${this.#tenant.workspaceId}`, {
              limits: { documents: act.documents }
            })
        )
      case "passBy":
        return await this.#passersBy.pass(node, act.isAccount)
      case "refresh": {
        const body = { delete_old_snapshots: act.dropOld }
        return isAnswered(await this.#tenant.send(node, "POST", "/v1/knowledge/refresh", body), [200])
      }
      case "search":
        return await this.#search(node, act)
      case "read":
        return await this.#read(node, act)
      case "list":
        return await this.#list(node)
      case "usage":
        return await this.#usage(node)
      case "status":
        return isAnswered(await this.#tenant.send(node, "GET", "/v1/knowledge/status"), [200])
      case "ask":
        return await this.#ask(node, act)
      case "askLater":
        return await this.#askLater(node, act)
    }
  }

  async #write(
    ledger: Ledger,
    value: string,
    send: () => Promise<Answer<unknown>>
  ): Promise<boolean> {
    const write = ledger.begin(new Map([[ONLY, value]]))
    const isDone = isAnswered(await send(), [200])
    if (isDone) write.done()
    return isDone
  }

  async #ingest(node: RunningServer, { items }: Act<"ingest">): Promise<boolean> {
    const { connectorId, ledger } = this.#tenant
    const sent = items.map(({ again, filler, id, isOld }) => {
      const text = (again ? this.#last.get(id) : undefined) ?? `${newText(filler)}${isOld ? ` ${OLD}` : ""}`
      this.#last.set(id, text)
      return { external_id: id, text, timestamp: text.includes(OLD) ? LONG_AGO : TODAY }
    })
    const from = ledger.now()
    const isFrom = this.#active.now()
    const limitFrom = this.#limit.now()
    // Each version is a write: a later one may not fit where an earlier one did.
    const writes = sent.map(({ external_id, text }) => ledger.begin(new Map([[external_id, text]])))
    const answer = await this.#tenant.send<{
      readonly items?: ReadonlyArray<{ readonly external_id: string; readonly status: string }>
      readonly details?: { readonly rejected?: ReadonlyArray<{ readonly resource: string }> }
      readonly rejected?: ReadonlyArray<{ readonly resource: string }>
    }>(node, "POST", `/v1/custom-connectors/${connectorId}/ingest/text`, { items: sent })
    if (!isAnswered(answer, [200, 400, 402])) return false

    const active = this.#active.possible(ONLY, isFrom)
    assert.isTrue(active.has(answer.status === 400 ? "false" : "true") || active.has(null) && answer.status !== 400)
    for (const [at, write] of writes.entries()) {
      const status = answer.body.items?.[at]?.status ?? "rejected"
      if (status === "rejected") write.refused(sent[at]!.external_id)
      else write.done()
    }
    const rejected = answer.body.rejected ?? answer.body.details?.rejected ?? []
    if (rejected.some(({ resource }) => resource === "documents")) {
      const present = ledger.ids().filter((id) => [...ledger.possible(id, from)].some((text) => text !== null))
      const least = Math.min(...this.#limits(limitFrom))
      assert.isAtLeast(present.length, least, "there was room for a further document")
    }
    return true
  }

  /** The caps that may have applied. */
  #limits(from: number): ReadonlyArray<number> {
    return [...this.#limit.possible(ONLY, from)].map((limit) => limit === null ? DOCUMENTS : Number(limit))
  }

  async #removeOne(node: RunningServer, { id }: Act<"removeOne">): Promise<boolean> {
    const { connectorId, ledger } = this.#tenant
    const from = ledger.now()
    const write = ledger.begin(new Map([[id, null]]))
    const answer = await this.#tenant.send(
      node,
      "DELETE",
      `/v1/custom-connectors/${connectorId}/documents/${id}`
    )
    if (!isAnswered(answer, [200, 404])) return false
    if (answer.status === 404) {
      write.refused(id)
      assert.isTrue(ledger.possible(id, from).has(null), `${id} was there`)
    } else {
      write.done()
    }
    return true
  }

  async #search(node: RunningServer, { id }: Act<"search">): Promise<boolean> {
    const text = this.#last.get(id)
    if (text === undefined) return true
    const from = this.#tenant.ledger.now()
    const answer = await this.#tenant.send<{ readonly results: ReadonlyArray<{ readonly external_id: string }> }>(
      node,
      "POST",
      "/v1/knowledge/search",
      { q: wordOf(text) }
    )
    if (!isAnswered(answer, [200])) return false
    const possible = this.#tenant.ledger.possible(id, from)
    const found = answer.body.results.map(({ external_id }) => external_id)
    if (found.length > 0) {
      assert.deepStrictEqual(found, [id])
      assert.isTrue(possible.has(text), `${wordOf(text)} is no longer in ${id}`)
    } else {
      assert.notDeepEqual([...possible], [text], `${wordOf(text)} is in ${id}`)
    }
    return true
  }

  async #read(node: RunningServer, { id }: Act<"read">): Promise<boolean> {
    const { connectorId, ledger } = this.#tenant
    const from = ledger.now()
    const path = `/v1/custom-connectors/${connectorId}/documents/${id}`
    const answer = await this.#tenant.send<{ readonly text: string }>(node, "GET", path)
    if (!isAnswered(answer, [200, 404])) return false
    const text = answer.status === 404 ? null : answer.body.text
    assert.isTrue(ledger.possible(id, from).has(text), `${id} is ${text}`)
    return true
  }

  /** The ids that must exist, and those that may. */
  #bounds(from: number) {
    const { ledger } = this.#tenant
    const possible = ledger.ids().map((id) => [id, [...ledger.possible(id, from)]] as const)
    return {
      surely: possible.filter(([, texts]) => !texts.includes(null)).map(([id]) => id),
      perhaps: possible.filter(([, texts]) => texts.some((text) => text !== null)).map(([id]) => id)
    }
  }

  async #list(node: RunningServer): Promise<boolean> {
    const from = this.#tenant.ledger.now()
    const answer = await this.#tenant.send<
      { readonly documents: ReadonlyArray<{ readonly external_id: string }>; readonly next_cursor: string | null }
    >(node, "GET", `/v1/custom-connectors/${this.#tenant.connectorId}/documents?limit=100`)
    if (!isAnswered(answer, [200])) return false
    const listed = answer.body.documents.map(({ external_id }) => external_id)
    const { perhaps, surely } = this.#bounds(from)
    assert.deepStrictEqual(surely.filter((id) => !listed.includes(id)), [], "a document is not listed")
    assert.deepStrictEqual(listed.filter((id) => !perhaps.includes(id)), [], "a document is listed that is not there")
    assert.isAtMost(listed.length, DOCUMENTS)
    return true
  }

  async #usage(node: RunningServer): Promise<boolean> {
    const from = this.#tenant.ledger.now()
    const limitFrom = this.#limit.now()
    const answer = await this.#tenant.send<
      {
        readonly entitlements: Readonly<
          Record<"documents" | "storage", { readonly used: number; readonly limit: number }>
        >
      }
    >(node, "GET", "/v1/usage/current")
    if (!isAnswered(answer, [200])) return false
    const { documents, storage } = answer.body.entitlements
    assert.include(this.#limits(limitFrom), documents.limit)
    const { perhaps, surely } = this.#bounds(from)
    assert.isAtLeast(documents.used, surely.length)
    assert.isAtMost(documents.used, Math.min(perhaps.length, DOCUMENTS))
    assert.isAtMost(storage.used, Clients.limits.storage)
    return true
  }

  /** Every quote occurs in a version that the document had while the question was answered. */
  #quotesStand(citations: ReadonlyArray<Citation>, from: number): void {
    for (const { entity: { external_id, quote } } of citations) {
      const texts = [...this.#tenant.ledger.possible(external_id, from)]
      assert.isTrue(texts.some((text) => text?.includes(quote)), `${quote.slice(0, 20)} is in ${external_id}`)
    }
  }

  async #ask(node: RunningServer, { id }: Act<"ask">): Promise<boolean> {
    const from = this.#tenant.ledger.now()
    const query = `What is ${wordOf(this.#last.get(id) ?? "nothing here")}?`
    const answer = await this.#tenant.send<{ readonly citations: ReadonlyArray<Citation> }>(
      node,
      "POST",
      "/v1/knowledge/ask",
      { query }
    )
    if (!isAnswered(answer, [200])) return false
    this.#quotesStand(answer.body.citations, from)
    return true
  }

  async #askLater(node: RunningServer, { cancels, id }: Act<"askLater">): Promise<boolean> {
    const query = wordOf(this.#last.get(id) ?? "nothing here")
    const answer = await this.#tenant.send<{ readonly job_id: string }>(node, "POST", "/v1/knowledge/ask", {
      query,
      async: true
    })
    if (!isAnswered(answer, [202])) return false
    this.#jobs.add(answer.body.job_id)
    const path = `/v1/knowledge/ask/jobs/${answer.body.job_id}`
    return isAnswered(await this.#tenant.send(node, cancels ? "DELETE" : "GET", path), [200])
  }
}
