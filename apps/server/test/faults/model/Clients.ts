/** Carries out operations on a workspace, and judges each answer by what the ledgers allow. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { Ledger } from "../support/Ledger.ts"
import { newText, type Tenant, wordOf } from "../support/Tenant.ts"
import type { Operation } from "./operations.ts"

type Act<T> = Extract<Operation["act"], { readonly type: T }>

/** The one register of `settings` and of the connector's state. */
const ONLY = "only"

const DOCUMENTS = 9

interface Citation {
  readonly entity: { readonly external_id: string; readonly quote: string }
}

export class Clients {
  static readonly limits = { documents: DOCUMENTS, storage: 12_000 }
  readonly #tenant: Tenant
  readonly #active = new Ledger()
  readonly #days = new Ledger()
  /** The last text that was sent for an id. */
  readonly #last = new Map<string, string>()
  operations = 0

  constructor(tenant: Tenant) {
    this.#tenant = tenant
  }

  /** The servers are whole, and nothing is under way. */
  settle(): void {
    for (const ledger of [this.#tenant.ledger, this.#active, this.#days]) ledger.settle()
  }

  async settingsAreLast(node: RunningServer): Promise<void> {
    const from = this.#days.now()
    const settings = await this.#tenant.ask<
      { readonly temporal_settings: { readonly start: { readonly days: number } } }
    >(node, "GET", "/v1/knowledge/settings")
    const days = String(settings.temporal_settings.start.days)
    const possible = this.#days.possible(ONLY, from)
    assert.isTrue(possible.has(days) || possible.has(null), `${days} days, not ${[...possible].join(" or ")}`)
  }

  /** Deletes the connector with its documents, and opens it again once they are gone. */
  async emptyWith(node: RunningServer): Promise<void> {
    const path = `/v1/custom-connectors/${this.#tenant.connectorId}`
    const { ledger } = this.#tenant
    const write = ledger.begin(new Map(ledger.ids().map((id) => [id, null])))
    await this.#tenant.ask(node, "DELETE", `${path}?delete_documents=true`)
    for (let left = 1; left > 0;) {
      left = (await this.#tenant.documents(node)).length
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    write.done()
    await this.run(node, { type: "setActive", isActive: true })
  }

  /** False when no answer came. */
  async run(node: RunningServer, act: Operation["act"]): Promise<boolean> {
    this.operations++
    switch (act.type) {
      case "ingest":
        return await this.#ingest(node, act)
      case "remove":
        return this.#isAnswered(await this.#tenant.remove(node, act.ids), [200])
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
        return await this.#write(this.#days, String(act.days), () => this.#tenant.configure(node, act.days))
      case "refresh": {
        const body = { delete_old_snapshots: act.dropOld }
        return this.#isAnswered(await this.#tenant.send(node, "POST", "/v1/knowledge/refresh", body), [200])
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
        return this.#isAnswered(await this.#tenant.send(node, "GET", "/v1/knowledge/status"), [200])
      case "ask":
        return await this.#ask(node, act)
      case "askLater":
        return await this.#askLater(node, act)
    }
  }

  #isAnswered(answer: { readonly status: number; readonly body: unknown }, expected: ReadonlyArray<number>): boolean {
    // Unavailable is an answer, too, but says nothing of what was done.
    if (answer.status === 0 || answer.status === 503) return false
    assert.include(expected, answer.status, JSON.stringify(answer.body))
    return true
  }

  async #write(
    ledger: Ledger,
    value: string,
    send: () => Promise<{ readonly status: number; readonly body: unknown }>
  ): Promise<boolean> {
    const write = ledger.begin(new Map([[ONLY, value]]))
    const isAnswered = this.#isAnswered(await send(), [200])
    if (isAnswered) write.done()
    return isAnswered
  }

  async #ingest(node: RunningServer, { items }: Act<"ingest">): Promise<boolean> {
    const { connectorId, ledger } = this.#tenant
    const sent = items.map(({ again, filler, id }) => {
      const text = (again ? this.#last.get(id) : undefined) ?? newText(filler)
      this.#last.set(id, text)
      return { external_id: id, text }
    })
    const from = ledger.now()
    const isFrom = this.#active.now()
    // Each version is a write: a later one may not fit where an earlier one did.
    const writes = sent.map(({ external_id, text }) => ledger.begin(new Map([[external_id, text]])))
    const answer = await this.#tenant.send<{
      readonly items?: ReadonlyArray<{ readonly external_id: string; readonly status: string }>
      readonly details?: { readonly rejected?: ReadonlyArray<{ readonly resource: string }> }
      readonly rejected?: ReadonlyArray<{ readonly resource: string }>
    }>(node, "POST", `/v1/custom-connectors/${connectorId}/ingest/text`, { items: sent })
    if (!this.#isAnswered(answer, [200, 400, 402])) return false

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
      assert.isAtLeast(present.length, DOCUMENTS, "there was room for a further document")
    }
    return true
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
    if (!this.#isAnswered(answer, [200, 404])) return false
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
    if (!this.#isAnswered(answer, [200])) return false
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
    if (!this.#isAnswered(answer, [200, 404])) return false
    const text = answer.status === 404 ? null : answer.body.text
    assert.isTrue(ledger.possible(id, from).has(text), `${id} is ${text}`)
    return true
  }

  /** What is surely there, and what may be. */
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
    if (!this.#isAnswered(answer, [200])) return false
    const listed = answer.body.documents.map(({ external_id }) => external_id)
    const { perhaps, surely } = this.#bounds(from)
    assert.deepStrictEqual(surely.filter((id) => !listed.includes(id)), [], "a document is not listed")
    assert.deepStrictEqual(listed.filter((id) => !perhaps.includes(id)), [], "a document is listed that is not there")
    assert.isAtMost(listed.length, DOCUMENTS)
    return true
  }

  async #usage(node: RunningServer): Promise<boolean> {
    const from = this.#tenant.ledger.now()
    const answer = await this.#tenant.send<
      { readonly entitlements: Readonly<Record<"documents" | "storage", { readonly used: number }>> }
    >(node, "GET", "/v1/usage/current")
    if (!this.#isAnswered(answer, [200])) return false
    const { documents, storage } = answer.body.entitlements
    const { perhaps, surely } = this.#bounds(from)
    assert.isAtLeast(documents.used, surely.length)
    assert.isAtMost(documents.used, Math.min(perhaps.length, DOCUMENTS))
    assert.isAtMost(storage.used, Clients.limits.storage)
    return true
  }

  /** Every quote stands in what the document was at some moment while the question was answered. */
  #quotesStand(citations: ReadonlyArray<Citation>, from: number): void {
    for (const { entity: { external_id, quote } } of citations) {
      const texts = [...this.#tenant.ledger.possible(external_id, from)]
      assert.isTrue(texts.some((text) => text?.includes(quote)), `${quote.slice(0, 20)} stands in ${external_id}`)
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
    if (!this.#isAnswered(answer, [200])) return false
    this.#quotesStand(answer.body.citations, from)
    return true
  }

  async #askLater(node: RunningServer, { cancels, id }: Act<"askLater">): Promise<boolean> {
    const query = wordOf(this.#last.get(id) ?? "nothing here")
    const answer = await this.#tenant.send<{ readonly job_id: string }>(node, "POST", "/v1/knowledge/ask", {
      query,
      async: true
    })
    if (!this.#isAnswered(answer, [202])) return false
    const path = `/v1/knowledge/ask/jobs/${answer.body.job_id}`
    return this.#isAnswered(await this.#tenant.send(node, cancels ? "DELETE" : "GET", path), [200])
  }
}
