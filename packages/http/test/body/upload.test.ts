// decisions.md §3 and §4 "Files", interface.md "Quota errors" 3: POST …/ingest/typed/upload.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { LEFT_OUT, problem } from "../support/problems.ts"
import { textFile, uploading } from "../support/upload.ts"
import { code, field } from "../support/wire.ts"

const ready = Effect.fnUntraced(function*(connector: Json = {}) {
  const service = yield* connected(connector)
  const upload = uploading(service.handle, service.path, service.key.secret)
  const document = (externalId: string) =>
    Effect.map(service.at("GET", `/documents/${encodeURIComponent(externalId)}`), ({ body }) => body as Json)
  return { ...service, upload, document }
})

const CALENDAR = "'email', 'page', 'message', 'calendar', 'issue' or 'custom'"

describe("An upload", () => {
  it.effect("is one document of kind `page`, whose size is the file's", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00.000Z"))
      const { document, upload } = yield* ready({ metadata: { team: "ops", lang: "en" } })
      const answer = yield* upload({
        file: textFile("Größe zählt."),
        external_id: "a",
        metadata: `{"lang":"de"}`,
        timestamp: "2026-01-02T03:04:05+01:00"
      })
      const stored = yield* document("a")
      assert.deepStrictEqual([answer.status, answer.body], [200, {
        status: "accepted",
        events: 1,
        external_ids: ["a"],
        rejected: [],
        items: [{ external_id: "a", document_id: stored["document_id"], status: "created" }]
      }])
      assert.deepInclude(stored, {
        kind: "page",
        source: "custom:notes",
        title: "notes.txt",
        text: "Größe zählt.",
        payload: null,
        size: 15,
        timestamp: "2026-01-02T02:04:05.000Z",
        metadata: { path: "notes.txt", team: "ops", lang: "de" }
      })
    }))

  it.effect("is decoded in the charset that its part declares", () =>
    Effect.gen(function*() {
      const { document, upload } = yield* ready()
      const bytes = new Uint8Array(Buffer.from("Gr\xf6\xdfe z\xe4hlt.", "latin1"))
      yield* upload({ file: textFile(bytes, "a.txt", "text/plain; charset=iso-8859-1"), external_id: "a" })
      assert.strictEqual((yield* document("a"))["text"], "Größe zählt.")
    }))

  it.effect("is parsed by its format, and titled by the title found in it", () =>
    Effect.gen(function*() {
      const { document, upload } = yield* ready()
      const files = [
        textFile("# Deploys\n\nOn weekdays.", "a.md", ""),
        textFile("<title>Deploys</title><p>On <b>weekdays</b>.", "b.html", "text/html"),
        textFile(`{"title":"Deploys","when":"On weekdays."}`, "c.json", "application/json"),
        textFile("On weekdays.", "C:\\notes\\Größe.txt", "application/octet-stream"),
        textFile("On weekdays.", `D: "Deploys", 100 %.txt`, "text/plain")
      ]
      for (const file of files) yield* upload({ file, external_id: file.name.slice(0, 1) })
      const read = yield* Effect.forEach(["a", "b", "c", "C", "D"], document)
      assert.deepStrictEqual(read.map(({ text, title }) => [title, text]), [
        ["Deploys", "# Deploys\n\nOn weekdays."],
        ["Deploys", "On weekdays."],
        ["Deploys", "title: Deploys\nwhen: On weekdays."],
        ["Größe.txt", "On weekdays."],
        [`D: "Deploys", 100 %.txt`, "On weekdays."]
      ])
    }))

  it.effect("is found by the name of its file, which is in its metadata, whatever its title and its id", () =>
    Effect.gen(function*() {
      const { send, upload } = yield* ready()
      const plan = "# Plan\n\nWe rest."
      yield* upload({ file: textFile(plan, "C:\\plans\\Budget_Q3.md") })
      yield* upload({ file: textFile(plan, "Budget_Q4.md"), external_id: "mail.1" })
      yield* upload({ file: textFile(plan, "a.md"), external_id: "b", metadata: `{"path":"plans/Budget_Q5.md"}` })
      const first = Effect.fnUntraced(function*(q: string) {
        const answer = yield* send("POST", "/v1/knowledge/search", { body: { q } })
        const [found] = field<ReadonlyArray<{ readonly metadata: Json }>>(answer, "results")
        return found?.metadata
      })
      assert.deepStrictEqual(yield* first("Budget_Q3.md"), { path: "Budget_Q3.md" })
      assert.deepStrictEqual(yield* first("where is budget_q4.md?"), { path: "Budget_Q4.md" })
      assert.deepStrictEqual(yield* first("plans/Budget_Q5.md"), { path: "plans/Budget_Q5.md" })
    }))

  it.effect("has the file's authors and date as metadata, unless the item or connector sets them", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00.000Z"))
      const { document, upload } = yield* ready({ metadata: { author: "The archive" } })
      const page = `<meta name="author" content="Ada"><meta name="author" content="Grace Hopper">
        <meta name="date" content="2025-03-04"><p>By: Ada, on weekdays, with Grace Hopper.`
      const file = textFile(page, "a.html", "text/html")
      yield* upload({ file, external_id: "a" })
      yield* upload({ file, external_id: "b", metadata: `{"author":"Me","date":"lately"}` })
      assert.deepInclude(yield* document("a"), {
        metadata: { author: "The archive", date: "2025-03-04T00:00:00.000Z", path: "a.html" },
        timestamp: "2026-05-05T10:00:00.000Z",
        // An author whom the text names is not added again.
        text: "Author: Grace Hopper\n\nBy: Ada, on weekdays, with Grace Hopper."
      })
      assert.deepInclude(yield* document("b"), { metadata: { author: "Me", date: "lately", path: "a.html" } })
    }))

  it.effect("of a file with thousands of authors keeps twenty, within the limits of metadata", () =>
    Effect.gen(function*() {
      const { document, upload } = yield* ready()
      const page = (length: number) =>
        Array.from({ length: 3_000 }, (_, at) => `<meta name="author" content="${at}${"😀".repeat(length)}">`).join("")
      yield* upload({ file: textFile(page(1), "a.html"), external_id: "a" })
      const { author } = (yield* document("a"))["metadata"] as { readonly author: string }
      assert.strictEqual(author.split(", ").length, 20)
      yield* upload({ file: textFile(page(70), "a.html"), external_id: "b" })
      const { author: long } = (yield* document("b"))["metadata"] as { readonly author: string }
      assert.strictEqual(long.length, 2_000)
      assert.isTrue(long.isWellFormed())
    }))

  it.effect("accepts the fields of its kind as JSON text, without a kind", () =>
    Effect.gen(function*() {
      const { document, upload } = yield* ready()
      const payload = { title: "Review", start: "2026-06-01T10:00:00Z", end: "2026-06-01T11:00:00Z", room: "Blue" }
      yield* upload({
        file: textFile("Agenda"),
        kind: "calendar",
        external_id: "a",
        payload: JSON.stringify(payload)
      })
      const stored = yield* document("a")
      assert.deepInclude(stored, {
        kind: "calendar",
        title: "Review",
        payload,
        timestamp: "2026-06-01T10:00:00.000Z",
        ends_at: "2026-06-01T11:00:00.000Z"
      })
      for (const part of ["Start: 2026-06-01T10:00:00Z", "room: Blue", "Agenda"]) {
        assert.include(stored["text"] as string, part)
      }
    }))

  it.effect("is unchanged if it is sent again, and gets an id if it has none", () =>
    Effect.gen(function*() {
      const { upload } = yield* ready()
      const status = (answer: Parameters<typeof field>[0]) => field<ReadonlyArray<Json>>(answer, "items")[0]?.["status"]
      const sent = { file: textFile("a"), external_id: "a", payload: `{"x":"y"}` }
      assert.strictEqual(status(yield* upload(sent)), "created")
      assert.strictEqual(status(yield* upload(sent)), "unchanged")
      const changes = [{ file: textFile("b") }, { file: textFile("a", "b.txt") }, { kind: "custom" }, { payload: "" }]
      for (const change of changes) {
        assert.strictEqual(status(yield* upload({ ...sent, ...change })), "updated")
        yield* upload(sent)
      }
      const [externalId] = field<ReadonlyArray<string>>(yield* upload({ file: textFile("a") }), "external_ids")
      assert.match(externalId!, /^[0-9a-f]{8}-/)
    }))

  it.effect("of an unsupported or unreadable file is 400 with the supported types", () =>
    Effect.gen(function*() {
      const { at, upload } = yield* ready()
      const files = [
        textFile("%PDF-1.7", "a.pdf", "application/pdf"),
        textFile("a,b", "a.xlsx", "text/csv"),
        textFile("{", "a.json"),
        textFile(new Uint8Array([0xff, 0x20]), "a.txt"),
        textFile("a\u0000b", "a.txt")
      ]
      for (const file of files) {
        const answer = yield* upload({ file })
        assert.deepStrictEqual([answer.status, code(answer)], [400, "bad_request"], file.name)
        assert.include(field<string>(answer, "message"), "Supported are plain text, Markdown, HTML, XML, JSON and CSV")
      }
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    }))

  it.effect("rejected by a quota is always 402", () =>
    Effect.gen(function*() {
      const { at, limit, upload } = yield* ready()
      yield* upload({ file: textFile("here"), external_id: "here" })
      const limits = [
        ["doc_size", { doc_size: 10 }],
        ["documents", { doc_size: null, documents: 1 }],
        ["storage", { documents: null, storage: 20 }]
      ] as const
      for (const [resource, values] of limits) {
        yield* limit(values)
        const answer = yield* upload({ file: textFile("x".repeat(30)), external_id: "a" })
        assert.deepStrictEqual([answer.status, answer.body], [402, {
          error_code: "quota_exceeded",
          message: "Ingest rejected: this workspace is over its plan quota. Upgrade or free space to continue.",
          details: { rejected: [{ external_id: "a", resource, reason: "quota_exceeded" }] }
        }])
      }
      assert.strictEqual(field<ReadonlyArray<unknown>>(yield* at("GET", "/documents"), "documents").length, 1)
    }))

  it.effect("of a kind that the connector does not accept, or to a deactivated one, is 400", () =>
    Effect.gen(function*() {
      const { at, upload } = yield* ready({ accepted_kinds: ["email"] })
      const answer = yield* upload({ file: textFile("a") })
      assert.deepStrictEqual([answer.status, field(answer, "details")], [400, {
        kind: "page",
        accepted_kinds: ["email"],
        index: 0
      }])
      assert.strictEqual((yield* upload({ file: textFile("a"), kind: "email" })).status, 200)
      yield* at("DELETE", "")
      assert.strictEqual((yield* upload({ file: textFile("a"), kind: "email" })).status, 400)
    }))
})

describe("A form", () => {
  it.effect("is validated field by field, with all problems at once", () =>
    Effect.gen(function*() {
      const { upload } = yield* ready()
      const at = (...path: ReadonlyArray<string>) => ["body", ...path]
      const literal = problem(at("kind"), "literal_error", `Input should be ${CALENDAR}`, "mail", {
        expected: CALENDAR
      })
      const expecting = (name: string, text: string) =>
        problem(at(name), "json_invalid", "Invalid JSON: Expecting value", text, { error: "Expecting value" })
      const file = textFile("a")
      const cases = [
        [{}, [problem(at("file"), "missing", "Field required", {})]],
        [{ file: "text" }, [problem(at("file"), "value_error", "Value error, must be a file", "text")]],
        [{ file: [file, file] }, [
          problem(at("file"), "value_error", "Value error, only one file is allowed", LEFT_OUT)
        ]],
        [{ file, kind: "mail" }, [literal]],
        [{ file, kind: "mail", payload: `{"title":1}` }, [literal]],
        [{ file, kind: textFile("page") }, [{ ...literal, input: undefined }]],
        [{ file, x: "1" }, [problem(at("x"), "extra_forbidden", "Extra inputs are not permitted", "1")]],
        [{ file, __proto__x: file }, [
          problem(at("__proto__x"), "extra_forbidden", "Extra inputs are not permitted", LEFT_OUT)
        ]],
        [{ file, payload: "x", metadata: "[1" }, [
          expecting("payload", "x"),
          problem(at("metadata"), "json_invalid", "Invalid JSON: Expecting ',' delimiter", "[1", {
            error: "Expecting ',' delimiter"
          })
        ]],
        [{ file, payload: "[]" }, [
          problem(
            at("payload"),
            "model_attributes_type",
            "Input should be a valid dictionary or object to extract fields from",
            []
          )
        ]],
        [{ file, payload: `{"title":1}`, timestamp: "2026-01-01" }, [
          problem(at("timestamp"), "timezone_aware", "Input should have timezone info", "2026-01-01"),
          problem(at("payload", "title"), "string_type", "Input should be a valid string", 1)
        ]],
        [{ file, payload: `{"kind":"email"}` }, [
          problem(at("payload", "kind"), "value_error", "Value error, must be the kind of the form", "email")
        ]],
        [{ file, metadata: `{"a":1}` }, [
          problem(at("metadata", "a"), "string_type", "Input should be a valid string", 1)
        ]]
      ] as const
      for (const [sent, expected] of cases) {
        const answer = yield* upload(sent)
        assert.strictEqual(answer.status, 422, answer.text)
        assert.deepStrictEqual(field(answer, "detail"), JSON.parse(JSON.stringify(expected)))
      }
    }))

  it.effect("refuses an integer in its payload that would lose digits", () =>
    Effect.gen(function*() {
      const { upload } = yield* ready()
      const answer = yield* upload({ file: textFile("a"), payload: `{"rev": [9007199254740993]}` })
      const msg = "Value error, an integer of this size would lose digits: send it as a string"
      assert.deepStrictEqual(answer.body, {
        detail: [problem(["body", "payload", "rev", 0], "value_error", msg, LEFT_OUT)]
      })
    }))

  it.effect("treats an empty field as absent", () =>
    Effect.gen(function*() {
      const { upload } = yield* ready()
      const empty = { kind: "", external_id: "", payload: "", timestamp: "", metadata: "" }
      assert.strictEqual((yield* upload({ file: textFile("a"), ...empty })).status, 200)
      assert.strictEqual((yield* upload({ file: textFile("", "empty.txt") })).status, 200)
      assert.strictEqual((yield* upload({ file: textFile("", "") })).status, 422)
    }))

  it.effect("is 415 with another content type, 413 if too large, 422 if malformed", () =>
    Effect.gen(function*() {
      const { at, upload } = yield* ready()
      const path = "/ingest/typed/upload"
      for (const type of ["application/json", "multipart/form-data", "multipart/mixed; boundary=x", undefined]) {
        const headers = type === undefined ? {} : { "content-type": type }
        const answer = yield* at("POST", path, { raw: "x", headers })
        assert.deepStrictEqual([answer.status, code(answer)], [415, "unsupported_media_type"], type)
        assert.include(field<string>(answer, "message"), "multipart/form-data")
      }
      const long = { "content-type": `multipart/form-data; boundary=${"x".repeat(200)}` }
      assert.strictEqual((yield* at("POST", path, { raw: "x", headers: long })).status, 415)
      const boundary = "x".repeat(70)
      const longest = { "content-type": `multipart/form-data; charset=utf-8; boundary="${boundary}"` }
      assert.strictEqual((yield* at("POST", path, { raw: `--${boundary}--`, headers: longest })).status, 422)
      const headers = { "content-type": "multipart/form-data; boundary=x" }
      const encoded = { "content-encoding": "gzip", ...headers }
      assert.strictEqual((yield* at("POST", path, { raw: "x", headers: encoded })).status, 415)
      for (
        const raw of [
          "x",
          "--x\r\n\r\n\r\n--x--",
          "--x\r\nContent-Dispositio\r\n--x--",
          "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\na"
        ]
      ) {
        const answer = yield* at("POST", path, { raw, headers })
        assert.deepStrictEqual(field(answer, "detail"), [
          { type: "value_error", loc: ["body"], msg: "Value error, not a valid multipart form" }
        ], raw)
      }
      const parts = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, "x"]))
      assert.strictEqual(code(yield* upload(parts)), "payload_too_large")
      const large = textFile("x".repeat(32 * 1_048_576))
      assert.strictEqual(code(yield* upload({ file: large })), "payload_too_large")
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
    }))
})
