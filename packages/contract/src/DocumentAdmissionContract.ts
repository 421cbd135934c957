/** The contract of `DocumentStore` for storing, replacing and deleting. */
import { assert } from "@effect/vitest"
import { ConnectorId, DocumentId } from "@tributary/core/model/Id"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Arbitrary, Effect, Option } from "effect"
import { anyMetadata, anyMoment, anyText } from "./internal/anyText.ts"
import { fiftyTimes, freshSource, item, moment, newJob, newUuid, UNCAPPED } from "./internal/fixtures.ts"
import { workspaceContents } from "./internal/workspaceContents.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

export const documentAdmissionContract = (it: Kit): void => {
  it.effect.prop(
    "returns a document as it was admitted, by either of its ids",
    {
      text: anyText,
      chunks: Arbitrary.array(anyText),
      metadata: anyMetadata,
      timestamp: anyMoment,
      ends_at: anyMoment
    },
    ({ chunks, ends_at, metadata, text, timestamp }) =>
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const { admit, connector_id, origin, workspaceId } = yield* freshSource
        // As text: a JSON column would merge the keys, round the number and refuse the escape.
        const payload = `{"a":1e400,"a":1.0,"nul":${JSON.stringify(`${text}\0`)}}`
        const external_id = `${text}/..`
        const [title, url] = [text, `https://example.com/?q=${text}`]
        const sent = item(external_id, text, {
          chunks,
          metadata,
          timestamp,
          ends_at,
          payload,
          title,
          url,
          size: 12_345
        })
        const verdicts = yield* admit([sent], UNCAPPED, moment(3))
        const { document_id } = sent
        assert.deepStrictEqual(verdicts, [{ status: "created", resource: null, document_id }])
        const stored = Option.some({
          document_id,
          external_id,
          source: origin.source,
          kind: "custom",
          title,
          url,
          size: 12_345,
          timestamp,
          ends_at,
          metadata,
          created_at: moment(3),
          updated_at: moment(3),
          change_seq: 1,
          chunks,
          payload
        })
        assert.deepStrictEqual(yield* documents.find(workspaceId, document_id), stored)
        assert.deepStrictEqual(yield* documents.findByExternalId(workspaceId, connector_id, external_id), stored)
      }),
    RUNS
  )

  it.effect("gives a new document without a time the time of its admission", () =>
    Effect.gen(function*() {
      const { admit, scan } = yield* freshSource
      yield* admit([item("a", "alpha")], UNCAPPED, moment(5))
      assert.deepStrictEqual((yield* scan)[0]?.timestamp, moment(5))
    }))

  it.effect("replaces a document and keeps its id and creation time", () =>
    Effect.gen(function*() {
      const { admit, scan, workspaceId } = yield* freshSource
      const first = item("a", "alpha", {
        timestamp: moment(-9),
        ends_at: moment(-8),
        metadata: { a: "1" },
        payload: "1"
      })
      yield* admit([first], UNCAPPED, moment(1))
      const second = item("a", "beta", { timestamp: moment(-5), title: "B", kind: "page", metadata: { b: "2" } })
      const { document_id } = first
      assert.deepStrictEqual(yield* admit([second], UNCAPPED, moment(2)), [
        { status: "updated", resource: null, document_id }
      ])
      const [replaced, ...others] = yield* scan
      const stored = replaced!
      assert.deepStrictEqual(others, [])
      assert.strictEqual(stored.document_id, document_id)
      assert.deepStrictEqual([stored.created_at, stored.updated_at], [moment(1), moment(2)])
      assert.deepStrictEqual([stored.timestamp, stored.ends_at], [moment(-5), null])
      assert.deepStrictEqual([stored.title, stored.kind, stored.metadata], ["B", "page", { b: "2" }])
      assert.deepStrictEqual(stored.chunks, ["beta"])
      const documents = yield* DocumentStore
      const payload = Effect.map(
        documents.find(workspaceId, document_id),
        (found) => Option.getOrThrow(found).payload
      )
      assert.isNull(yield* payload)
      for (const text of ["3", "4"]) {
        yield* admit([item("a", text, { payload: text })])
        assert.strictEqual(yield* payload, text)
      }
    }))

  it.effect("returns names of metadata that look alike as JSON", () =>
    Effect.gen(function*() {
      const { admit, scan } = yield* freshSource
      const written = ["\\", "\"", "\n"].map((name) => ({ a: "1", [name]: "2" }))
      for (const [index, metadata] of written.entries()) yield* admit([item(`${index}`, "alpha", { metadata })])
      assert.sameDeepMembers((yield* scan).map(({ metadata }) => metadata), written)
    }))

  it.effect("gives a new document nothing of a deleted one", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      yield* admit([item("a", "alpha", { payload: "1" })])
      yield* remove(["a"])
      const next = item("b", "")
      yield* admit([next])
      const { chunks, payload } = Option.getOrThrow(yield* documents.find(workspaceId, next.document_id))
      assert.deepStrictEqual({ chunks, payload }, { chunks: [], payload: null })
    }))

  it.effect("keeps the time and end of a document if its replacement has none", () =>
    Effect.gen(function*() {
      const { admit, scan } = yield* freshSource
      yield* admit([item("a", "alpha", { timestamp: moment(-9), ends_at: moment(-8) })])
      yield* admit([item("a", "beta")], UNCAPPED, moment(2))
      const [stored] = yield* scan
      assert.deepStrictEqual([stored?.timestamp, stored?.ends_at], [moment(-9), moment(-8)])
      assert.deepStrictEqual(stored?.chunks, ["beta"])
    }))

  it.effect("changes nothing for an item equal to the stored one", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const { admit, connector_id, queue, workspaceId } = yield* freshSource
      const first = item("a", "alpha", { timestamp: moment(-9) })
      yield* admit([first], UNCAPPED, moment(1))
      const everything = workspaceContents(workspaceId, connector_id, queue)
      const before = yield* everything
      const { document_id } = first
      const unchanged = { status: "unchanged" as const, resource: null, document_id }
      const again = [item("a", "alpha"), item("a", "alpha", { timestamp: moment(-9), payload: "ignored" })]
      assert.deepStrictEqual(yield* admit(again, UNCAPPED, moment(2)), [unchanged, unchanged])
      assert.deepStrictEqual(yield* everything, before)
      assert.strictEqual((yield* jobs.list(workspaceId, queue, { status: null, after: null, limit: 10 })).length, 1)
    }))

  it.effect("treats another time as a change, and the same text under another id as another document", () =>
    Effect.gen(function*() {
      const { admit } = yield* freshSource
      yield* admit([item("a", "alpha", { timestamp: moment(1) })])
      const verdicts = yield* admit([item("a", "alpha", { timestamp: moment(2) }), item("b", "alpha")])
      assert.deepStrictEqual(verdicts.map(({ status }) => status), ["updated", "created"])
    }))

  it.effect("checks several versions of one item in order, and stores the last", () =>
    Effect.gen(function*() {
      const { admit, events, scan } = yield* freshSource
      const versions = ["one", "one", "two", "one"].map((text) => item("a", text))
      const verdicts = yield* admit([versions[0]!, item("b", "b"), ...versions.slice(1)])
      assert.deepStrictEqual(
        verdicts.map(({ status }) => status),
        ["created", "created", "unchanged", "updated", "updated"]
      )
      const { document_id } = versions[0]!
      assert.deepStrictEqual(
        verdicts.map((verdict) => verdict.document_id === document_id),
        [true, false, true, true, true]
      )
      const stored = (yield* scan).find((document) => document.document_id === document_id)
      assert.deepStrictEqual(stored?.chunks, ["one"])
      const ofIt = (yield* events).filter((event) => event.document_id === document_id)
      assert.deepStrictEqual(
        ofIt.map(({ event_id, type }) => [event_id, type]),
        [
          [versions[0]!.event_id, "document.created"],
          [versions[2]!.event_id, "document.updated"],
          [versions[3]!.event_id, "document.updated"]
        ]
      )
    }))

  it.effect("keeps the items of two connectors apart", () =>
    Effect.gen(function*() {
      const [home, other] = [yield* freshSource, yield* freshSource]
      const connectors = yield* ConnectorStore
      const second = Option.getOrThrow(yield* connectors.find(other.workspaceId, other.connector_id))
      const connector_id = ConnectorId.make(newUuid())
      yield* connectors.insert(home.workspaceId, { ...second, connector_id }, 10)
      const documents = yield* DocumentStore
      yield* home.admit([item("a", "alpha")])
      const origin = { connector_id, source: "custom:second" }
      const follow = newJob(home.workspaceId, home.queue)
      const sent = item("a", "alpha")
      const verdicts = yield* documents.admit(home.workspaceId, origin, [sent], {
        caps: UNCAPPED,
        now: moment(),
        follow
      })
      assert.deepStrictEqual(verdicts, [{ status: "created", resource: null, document_id: sent.document_id }])
      yield* documents.remove(home.workspaceId, { connector_id, first: 10, until: 100 }, moment(), follow)
      assert.deepStrictEqual((yield* home.scan).map(({ source }) => source), [home.origin.source])
    }))

  it.effect("admits nothing through an inactive or unknown connector, or one of another workspace", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const connectors = yield* ConnectorStore
      const [home, stranger] = [yield* freshSource, yield* freshSource]
      yield* home.admit([item("a", "alpha")])
      yield* connectors.update(home.workspaceId, home.connector_id, { is_active: false })
      const everything = workspaceContents(home.workspaceId, home.connector_id, home.queue)
      const before = yield* everything
      for (const connector_id of [home.connector_id, stranger.connector_id, ConnectorId.make(newUuid())]) {
        const origin = { connector_id, source: "custom:x" }
        const follow = newJob(home.workspaceId, home.queue)
        const sent = [item("b", "beta")]
        assert.isNull(yield* documents.admit(home.workspaceId, origin, sent, { caps: UNCAPPED, now: moment(), follow }))
      }
      assert.deepStrictEqual(yield* everything, before)
      assert.deepStrictEqual(yield* stranger.scan, [])
    }))

  it.effect("queues the follow-up job with a change, and none without", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const { admit, queue, remove, workspaceId } = yield* freshSource
      const queued = Effect.map(jobs.list(workspaceId, queue, { status: null, after: null, limit: 10 }), (all) =>
        all.length)
      yield* admit([])
      yield* admit([item("a", "alpha", { oversized: true })])
      yield* admit([item("a", "alpha")], { documents: 0, storage: null })
      yield* remove(["a"])
      assert.strictEqual(yield* queued, 0)
      yield* admit([item("a", "alpha"), item("b", "beta")])
      assert.strictEqual(yield* queued, 1)
      yield* remove(["a"])
      assert.strictEqual(yield* queued, 2)
    }))

  it.effect("deletes the existing ones of the given documents, once, and returns them", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, connector_id, remove, scan, workspaceId } = yield* freshSource
      const [a, b] = [item("a", "alpha"), item("b", "beta")]
      yield* admit([a, b])
      const removed = yield* remove(["a", "absent", "a"])
      assert.deepStrictEqual(removed, [{ document_id: a.document_id, external_id: "a" }])
      assert.isTrue(Option.isNone(yield* documents.find(workspaceId, a.document_id)))
      assert.isTrue(Option.isNone(yield* documents.findByExternalId(workspaceId, connector_id, "a")))
      assert.deepStrictEqual((yield* scan).map(({ external_id }) => external_id), ["b"])
      assert.deepStrictEqual(yield* remove(["a"]), [])
    }))

  it.effect("deletes one document by its id", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, queue, scan, workspaceId } = yield* freshSource
      const [a, b] = [item("a", "alpha"), item("b", "beta")]
      yield* admit([a, b])
      const remove = (document_id: DocumentId) =>
        documents.remove(workspaceId, { document_id }, moment(), newJob(workspaceId, queue))
      assert.deepStrictEqual(yield* remove(b.document_id), [{ document_id: b.document_id, external_id: "b" }])
      assert.deepStrictEqual(yield* remove(b.document_id), [])
      assert.deepStrictEqual(yield* remove(DocumentId.make(newUuid())), [])
      assert.deepStrictEqual((yield* scan).map(({ external_id }) => external_id), ["a"])
    }))

  it.effect("deletes all documents of a connector in steps, by id", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, connector_id, queue, workspaceId } = yield* freshSource
      const items = ["a", "b", "c"].map((id) => item(id, id))
      yield* admit([items[2]!, items[0]!, items[1]!])
      const step = Effect.map(
        Effect.suspend(() =>
          documents.remove(workspaceId, { connector_id, first: 2, until: 100 }, moment(), newJob(workspaceId, queue))
        ),
        (removed) => removed.map(({ external_id }) => external_id).sort()
      )
      assert.deepStrictEqual([yield* step, yield* step, yield* step], [["a", "b"], ["c"], []])
    }))

  it.effect("creates a deleted document again with a new id", () =>
    Effect.gen(function*() {
      const { admit, remove, scan } = yield* freshSource
      yield* admit([item("a", "alpha")], UNCAPPED, moment(1))
      yield* remove(["a"])
      const again = item("a", "alpha")
      const { document_id } = again
      const verdicts = yield* admit([again], UNCAPPED, moment(2))
      assert.deepStrictEqual(verdicts, [{ status: "created", resource: null, document_id }])
      assert.deepStrictEqual((yield* scan).map(({ created_at }) => created_at), [moment(2)])
    }))

  it.effect("shows a document whose id returns as one change, no longer as a deletion", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, remove, workspaceId } = yield* freshSource
      const [first, second] = [item("a", "alpha"), item("b", "beta")]
      yield* admit([first, second])
      yield* remove(["a", "b"])
      yield* admit([first])
      // Together with another version of an item, it is checked one after the other.
      yield* admit([second, item("b", "gamma")])
      const changes = yield* documents.changes(workspaceId, 0, 100)
      assert.deepStrictEqual(changes.map(({ document }) => document?.external_id), ["a", "b"])
    }))

  it.effect("never deletes a document of another workspace", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const [home, stranger] = [yield* freshSource, yield* freshSource]
      const sent = item("a", "alpha")
      yield* home.admit([sent])
      const { connector_id } = home
      const everything = workspaceContents(home.workspaceId, connector_id, home.queue)
      const before = yield* everything
      for (
        const selection of [
          { document_id: sent.document_id },
          { connector_id, external_ids: ["a"] },
          { connector_id, first: 10, until: 100 }
        ]
      ) {
        const follow = newJob(stranger.workspaceId, stranger.queue)
        assert.deepStrictEqual(yield* documents.remove(stranger.workspaceId, selection, moment(), follow), [])
      }
      assert.deepStrictEqual(yield* everything, before)
    }))

  it.effect("stores one document if fifty requests send the same item", () =>
    Effect.gen(function*() {
      const { admit, scan } = yield* freshSource
      const verdicts = (yield* fiftyTimes(() => admit([item("a", "alpha")]))).flat()
      const count = (wanted: string) => verdicts.filter(({ status }) => status === wanted).length
      assert.deepStrictEqual([count("created"), count("unchanged")], [1, 49])
      assert.strictEqual(new Set(verdicts.map(({ document_id }) => document_id)).size, 1)
      assert.strictEqual((yield* scan).length, 1)
    }))

  it.effect("deletes in steps only documents that did not change after the given time", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { admit, connector_id, queue, scan, workspaceId } = yield* freshSource
      yield* admit([item("a", "a"), item("b", "b"), item("c", "c")])
      yield* admit([item("b", "changed"), item("d", "late")])
      const step = documents.remove(
        workspaceId,
        { connector_id, first: 10, until: 3 },
        moment(),
        newJob(workspaceId, queue)
      )
      assert.deepStrictEqual((yield* step).map(({ external_id }) => external_id), ["a", "c"])
      assert.deepStrictEqual(yield* step, [])
      assert.deepStrictEqual((yield* scan).map(({ external_id }) => external_id).toSorted(), ["b", "d"])
    }))
}
