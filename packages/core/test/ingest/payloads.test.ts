import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { payloadText as textBy } from "../../src/ingest/payloadText.ts"
import { labelledStrings } from "../../src/labelledStrings.ts"
import { type Payload, payloadOf } from "../../src/model/Kind.ts"
import { BUILT_IN_KINDS, kindCatalogue } from "../../src/model/KindCatalogue.ts"

const isPayload = Schema.is(payloadOf(BUILT_IN_KINDS))
const payloadText = (payload: Payload) => textBy(payload, BUILT_IN_KINDS)

describe("a typed payload", () => {
  it("needs only a known kind", () => {
    for (const kind of ["email", "page", "message", "calendar", "issue", "custom"]) {
      assert.isTrue(isPayload({ kind }), kind)
    }
    for (
      const payload of [{}, { kind: "fax" }, { kind: null }, { kind: "__proto__" }, { kind: "toString" }, {
        Kind: "email"
      }]
    ) {
      assert.isFalse(isPayload(payload), JSON.stringify(payload))
    }
  })

  it("has fields of the right type, and any others", () => {
    assert.isTrue(isPayload({ kind: "email", subject: "", to: [], anything: { at: ["all"] } }))
    assert.isTrue(isPayload({ kind: "page", content_type: "text/markdown", start: "no moment" }))
    for (
      const payload of [
        { kind: "email", subject: 1 },
        { kind: "email", subject: null },
        { kind: "email", to: "ada@example.org" },
        { kind: "email", to: ["ada@example.org", 1] },
        { kind: "page", content_type: "text/rtf" },
        { kind: "calendar", start: "2026-03-01" },
        { kind: "calendar", start: "2026-03-01T12:00:00Z", end: "2026-03-01T11:00:00Z" },
        { kind: "message", text: "a\u0000b" },
        { kind: "message", text: "\ud800" }
      ]
    ) assert.isFalse(isPayload(payload), JSON.stringify(payload))
    assert.isTrue(isPayload({ kind: "calendar", start: "2026-03-01T12:00:00Z", end: "2026-03-01T13:00:00+01:00" }))
  })
})

describe("the text of", () => {
  it("an email consists of its people and its body, titled by its subject", () => {
    assert.deepStrictEqual(
      payloadText({
        kind: "email",
        subject: "Offer",
        from: "ada@example.org",
        to: ["bob@example.org", "cy@example.org"],
        cc: [],
        body: "Dear Bob,",
        body_html: "<p>Dear Bob,</p>",
        thread_id: "t-1",
        headers: { "X-Priority": "high" }
      }),
      {
        title: "Offer",
        url: null,
        head: "From: ada@example.org\nTo: bob@example.org, cy@example.org\nThread: t-1",
        body: { content: "Dear Bob,", contentType: "text/plain" },
        rest: "X-Priority: high"
      }
    )
  })

  it("an email without a plain part uses its HTML", () => {
    const { body } = payloadText({ kind: "email", body: " ", body_html: "<p>Hi" })
    assert.deepStrictEqual(body, { content: "<p>Hi", contentType: "text/html" })
  })

  it("a message names its author", () => {
    const { title, head, body } = payloadText({ kind: "message", channel: "#ops", author: "Ada", text: "It is up." })
    assert.deepStrictEqual({ title, head, body }, {
      title: "#ops",
      head: "",
      body: { content: "Ada: It is up.", contentType: "text/plain" }
    })
  })

  it("a calendar event has its time, place and attendees", () => {
    const { title, head, body } = payloadText({
      kind: "calendar",
      title: "Review",
      description: "Bring numbers.",
      location: "Room 4",
      start: "2026-03-01T12:00:00+01:00",
      end: "2026-03-01T13:00:00+01:00",
      organizer: "Ada",
      attendees: ["Bob", "", "Cy"]
    })
    assert.strictEqual(title, "Review")
    assert.strictEqual(
      head,
      "Start: 2026-03-01T12:00:00+01:00\nEnd: 2026-03-01T13:00:00+01:00\nLocation: Room 4\nOrganizer: Ada\nAttendees: Bob, Cy"
    )
    assert.strictEqual(body?.content, "Bring numbers.")
  })

  it("an issue is titled by its key and title, and linked", () => {
    const issue = payloadText({
      kind: "issue",
      key: "OPS-12",
      title: "Login fails",
      state: "open",
      author: "Ada",
      assignee: "Bob",
      labels: ["auth", "p1"],
      body: "Since noon.",
      url: "https://example.org/OPS-12"
    })
    assert.strictEqual(issue.title, "OPS-12 Login fails")
    assert.strictEqual(issue.head, "State: open\nAuthor: Ada\nAssignee: Bob\nLabels: auth, p1")
    assert.strictEqual(issue.url, "https://example.org/OPS-12")
  })

  it("a page is its content, in its declared type", () => {
    const page = payloadText({
      kind: "page",
      content: "# A",
      content_type: "text/markdown",
      url: "javascript:alert(1)"
    })
    assert.deepStrictEqual(page.body, { content: "# A", contentType: "text/markdown" })
    assert.isNull(page.url)
    assert.strictEqual(payloadText({ kind: "page", content: "A" }).body?.contentType, "text/plain")
  })

  it("any other kind is every string with its key", () => {
    const { title, head, body, rest } = payloadText({
      kind: "custom",
      data: { part: "valve", sizes: ["small", "big"] },
      n: 1
    })
    assert.deepStrictEqual({ title, head, body }, { title: null, head: "", body: null })
    assert.strictEqual(rest, "part: valve\nsizes: small\nbig")
  })
})

describe("the leaves of JSON", () => {
  it("are in the order sent, each after its key, with blank lines between them", () => {
    assert.strictEqual(
      labelledStrings({
        b: "1",
        a: { b: "2", c: ["", "3", ["4", { d: "5" }]] },
        n: 7,
        t: true,
        z: null,
        "": "6",
        e: " "
      }),
      "b: 1\nb: 2\nc: 3\n4\nd: 5\n6"
    )
    assert.strictEqual(labelledStrings("word"), "word")
    assert.strictEqual(labelledStrings([]), "")
  })

  it("include those under keys of Object.prototype", () => {
    assert.strictEqual(
      labelledStrings(JSON.parse("{\"__proto__\":\"a\",\"constructor\":{\"toString\":\"b\"}}")),
      "__proto__: a\ntoString: b"
    )
  })

  it.prop("are never longer than the JSON", [Schema.Json], ([json]) => {
    assert.isAtMost(labelledStrings(json).length, JSON.stringify(json).length)
  })

  it("are found at any depth, with a long shared key only once", () => {
    let deep: Schema.Json = "core"
    for (let n = 0; n < 200_000; n++) deep = n % 2 === 0 ? [deep] : { k: deep }
    assert.strictEqual(labelledStrings(deep), "k: core")
    const many = labelledStrings({ ["k".repeat(10_000)]: Array.from({ length: 10_000 }, () => "x") })
    assert.isBelow(many.length, 40_000)
  })
})

describe("a host's own kind", () => {
  const fields = {
    number: "text",
    due_date: "moment",
    people: "texts",
    notes: "text",
    rows: "json",
    url: "text"
  } as const
  const kinds = kindCatalogue({ invoice: { fields, title: ["number"], body: "notes" } })
  const isOurs = Schema.is(payloadOf(kinds))

  it("is validated by its fields", () => {
    assert.isTrue(isOurs({ kind: "invoice" }))
    assert.isTrue(isOurs({ kind: "invoice", rows: [1, { a: 2 }], other: false }))
    assert.isFalse(isOurs({ kind: "invoice", number: 7 }))
    assert.isFalse(isOurs({ kind: "invoice", due_date: "soon" }))
    assert.isFalse(isOurs({ kind: "invoice", people: "Ada" }))
  })

  it("is text made of its title, its body and the names of its other fields", () => {
    const payload = {
      kind: "invoice",
      number: "2026-114",
      due_date: "2026-12-20T00:00:00Z",
      people: ["Ada", "Bo"],
      notes: "Paid in two instalments.",
      rows: [{ item: "Radio" }],
      url: "https://example.org/114",
      colour: "red"
    }
    assert.deepStrictEqual(textBy(payload, kinds), {
      title: "2026-114",
      url: "https://example.org/114",
      head: "Due date: 2026-12-20T00:00:00Z\nPeople: Ada, Bo",
      body: { content: "Paid in two instalments.", contentType: "text/plain" },
      rest: "item: Radio\ncolour: red"
    })
  })

  it("exists only in the catalogue that it was added to", () => {
    assert.isTrue(isOurs({ kind: "invoice" }))
    assert.isFalse(isPayload({ kind: "invoice" }))
    assert.isFalse(isOurs({ kind: "bill" }))
  })

  it("has a name that no built-in kind has and its own text fields, or is refused", () => {
    assert.throws(() => kindCatalogue({ email: { fields } }), /is built in/)
    assert.throws(() => kindCatalogue({ "An Invoice": { fields } }), /name matches/)
    assert.throws(() => kindCatalogue({ bill: { fields, title: ["due_date"] } }), /"due_date" is not a field of type/)
    assert.throws(() => kindCatalogue({ bill: { fields, body: "absent" } }), /"absent" is not a field of type "text"/)
    const misspelt = { fields: { due: "date" as "moment" } }
    assert.throws(
      () => kindCatalogue({ bill: misspelt }),
      /"due" of the kind "bill" has an unknown type\. The types are: text, /
    )
  })
})
