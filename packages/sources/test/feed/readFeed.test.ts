/** What is read of a feed. */
import { assert, describe, it } from "@effect/vitest"
import { extent } from "../../../../.ci/extent.ts"
import { dateOf } from "@tributary/core/dateOf"
import { readFeed } from "../../src/internal/feed/readFeed.ts"
import { bodyText } from "../../src/internal/network/bodyText.ts"
import { item, rss } from "../support/rss.ts"

describe("entries", () => {
  const URL_OF_FEED = "https://example.org/blog/feed"

  it("of Atom have their bases, types and authors", () => {
    const [entry, xhtml] = readFeed(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/">
        <entry xml:base="2026/"><id>tag:1</id><title type="html">&lt;b&gt;Bold&lt;/b&gt; words</title>
          <link rel="self" href="self"/><link href="first.html"/><updated>2026-03-02T10:00:00+01:00</updated>
          <author><name>Ada</name></author><category term="x"/><content type="html">&lt;p&gt;Hi&lt;/p&gt;</content></entry>
        <entry><id>tag:2</id><title>Two</title><content type="xhtml"><div><p>In <em>XHTML</em></p></div></content></entry>
      </feed>`,
      URL_OF_FEED
    )!
    assert.deepStrictEqual(entry, {
      id: "tag:1",
      title: "Bold words",
      url: "https://example.org/blog/2026/first.html",
      content: "<p>Hi</p>",
      contentType: "text/html",
      authors: ["Ada"],
      labels: ["x"],
      published: new Date("2026-03-02T09:00:00Z")
    })
    assert.strictEqual(xhtml?.content, "<div><p>In <em>XHTML</em></p></div>")
  })

  it("of RSS 1.0 and of JSON Feed are read", () => {
    const rdf = `<rdf:RDF><channel rdf:about="x"><link>https://example.org</link></channel>
      <item rdf:about="urn:1"><title>One</title><link>one</link><dc:date>2026-03-02</dc:date></item></rdf:RDF>`
    assert.deepInclude(readFeed(rdf, URL_OF_FEED)![0], { id: "urn:1", url: "https://example.org/one" })
    const json = {
      version: "https://jsonfeed.org/version/1.1",
      items: [{ id: 7, url: "/7", content_text: "T" }, null, {}]
    }
    assert.deepInclude(readFeed(JSON.stringify(json), URL_OF_FEED)![0], {
      id: "7",
      url: "https://example.org/7",
      content: "T",
      contentType: "text/plain"
    })
    assert.isNull(readFeed("{\"items\": 1}", URL_OF_FEED))
    assert.isNull(readFeed("{", URL_OF_FEED))
  })

  it("have what their empty elements leave to others", () => {
    const empty = "<content:encoded><![CDATA[]]></content:encoded><pubDate/>"
    const item = `<item><guid>1</guid>${empty}<description>In short</description><dc:date>2026-03-02</dc:date></item>`
    const published = new Date("2026-03-02")
    assert.deepInclude(readFeed(rss(item), URL_OF_FEED)![0], { content: "In short", published })
    const video = "<content src=\"/1.mp4\" type=\"video/mp4\"/><summary type=\"HTML\">In short</summary>"
    const author = "<author><name/><email>ada@example.org</email></author>"
    const dates = "<published/><updated>2026-03-02</updated>"
    assert.deepInclude(
      readFeed(`<feed><entry><id>1</id>${video}${author}${dates}</entry></feed>`, URL_OF_FEED)![0],
      { content: "In short", contentType: "text/html", authors: ["ada@example.org"], published }
    )
  })

  it("without authors have those of their source or feed", () => {
    const author = (name: string) => `<author><name>${name}</name></author>`
    const source = `<source>${author("Bo")}</source>`
    const entries = ["", source, `${source}${author("Kim")}`].map((more, at) => `<entry><id>${at}</id>${more}</entry>`)
    assert.deepStrictEqual(
      readFeed(`<feed>${author("Ada")}${entries.join("")}</feed>`, URL_OF_FEED)?.map(({ authors }) => authors),
      [["Ada"], ["Bo"], ["Kim"]]
    )
    const json = { authors: [{ name: "Ada" }], items: [{ id: "1" }, { id: "2", authors: [{ name: "Bo" }] }] }
    assert.deepStrictEqual(
      readFeed(JSON.stringify(json), URL_OF_FEED)?.map(({ authors }) => authors),
      [["Ada"], ["Bo"]]
    )
  })

  it("of Atom may have a prefix", () => {
    const entry = "<a:entry><a:id>1</a:id><a:title>One</a:title><a:link href=\"/1\"/></a:entry>"
    assert.deepInclude(readFeed(`<a:feed xmlns:a="http://www.w3.org/2005/Atom">${entry}</a:feed>`, URL_OF_FEED)![0], {
      id: "1",
      title: "One",
      url: "https://example.org/1"
    })
  })

  it("without an id are identified by their content, and skipped without any", () => {
    const words = "<description>Words</description>"
    const feeds = [
      rss(
        `<item>${words}</item>`,
        `<item>${words}</item>`,
        "<item></item>",
        "<item><description>x</description></item>"
      ),
      `<feed><entry><content>Words</content></entry><entry/><entry><summary>x</summary></entry></feed>`,
      JSON.stringify({ items: [{ content_text: "Words" }, {}, { summary: "x" }] })
    ]
    for (const feed of feeds) {
      const entries = readFeed(feed, URL_OF_FEED)!
      assert.deepStrictEqual(entries.map(({ content }) => content), ["Words", "x"])
      assert.lengthOf(new Set(entries.map(({ id }) => id)), 2)
    }
  })

  it("of RSS have the bases above them, and titles without markup", () => {
    const one = (title: string) => `<item><title>${title}</title><link>one</link></item>`
    const [entry] = readFeed(
      `<rss xml:base="https://a.example/"><channel xml:base="b/">${one("x")}</channel></rss>`,
      URL_OF_FEED
    )!
    assert.strictEqual(entry?.url, "https://a.example/b/one")
    const titles = {
      "a &amp;lt; b &amp;eacute;&nbsp;c": "a < b é\u00a0c",
      "&lt;em&gt;New&lt;/em&gt;": "New",
      "if a &lt; b &amp; c &gt; d": "if a < b & c > d"
    }
    for (const [given, shown] of Object.entries(titles)) {
      assert.strictEqual(readFeed(rss(one(given)), URL_OF_FEED)![0]!.title, shown)
    }
  })

  it("have dates in common formats, in any time zone of the server", () => {
    const dates: Readonly<Record<string, string | null>> = {
      "Mon, 02 Mar 2026 10:00:00 EST": "2026-03-02T15:00:00.000Z",
      "Mon, 02 Mar 2026 10:00:00 CEST": "2026-03-02T10:00:00.000Z",
      "Mon, 02 Mar 2026 10:00:00 +0100 (MEZ, Winter-1)": "2026-03-02T09:00:00.000Z",
      "Mon, 02 Mar 2026 10:00:00": "2026-03-02T10:00:00.000Z",
      "2026-03-02T10:00:00": "2026-03-02T10:00:00.000Z",
      "2026-03-02 10:00:00": "2026-03-02T10:00:00.000Z",
      "2026-03-02T10:00:00.5+01:00": "2026-03-02T09:00:00.500Z",
      "2026-03-02": "2026-03-02T00:00:00.000Z",
      "2026-03-02T10:00:00 +01:00": "2026-03-02T09:00:00.000Z",
      "2026-03-02T10:00:00+01": "2026-03-02T09:00:00.000Z",
      "2026-03-02 10:00:00 +0100 CET": "2026-03-02T09:00:00.000Z",
      "Mon, 02 Mar 2026": "2026-03-02T00:00:00.000Z",
      "2-Mar-2026": "2026-03-02T00:00:00.000Z",
      "March 2, 2026": "2026-03-02T00:00:00.000Z",
      "March 2, 2026 10:00 pm": "2026-03-02T22:00:00.000Z",
      "02.03.2026 10:00": "2026-03-02T10:00:00.000Z",
      [`1:${"+0100 (".repeat(20_000)})x`]: null,
      "+012026-03-02T10:00:00Z": null,
      "0000-01-01T00:00:00Z": null,
      "yesterday": null,
      "": null
    }
    for (const [written, expected] of Object.entries(dates)) {
      assert.strictEqual(dateOf(written)?.toISOString() ?? null, expected, written)
    }
  })

  it.runIf(extent(false, true))("with too many parts are refused", () => {
    assert.isNull(readFeed(`<rss><channel>${"<a/>".repeat(2_000_001)}</channel></rss>`, URL_OF_FEED))
    assert.isNull(readFeed(`<rss ${"a='' ".repeat(2_000_001)}></rss>`, URL_OF_FEED))
  })

  it("load no external entities and expand none", () => {
    const declared = `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;"><!ENTITY z "&y;&y;">]>`
    const [entry] = readFeed(
      `${declared}${rss("<item><guid>1</guid><description>&x;&z;</description></item>")}`,
      URL_OF_FEED
    )!
    assert.strictEqual(entry?.content, "&x;&z;")
  })

  it("are decoded by the declared encoding, unless their bytes show another", () => {
    const utf8 = Buffer.from("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>")
    assert.include(bodyText(utf8, "text/xml; charset=iso-8859-1"), "é")
    assert.include(bodyText(Buffer.from("<?xml version=\"1.0\" encoding=\"utf-16\"?><a>é</a>"), "text/xml"), "é")
    assert.include(bodyText(Buffer.from("<a>\xe9</a>", "latin1"), "text/xml"), "é")
    assert.include(bodyText(Buffer.from("<a>\xe9</a>", "latin1"), "text/xml; charset=nonsense"), "\ufffd")
    assert.include(bodyText(Buffer.from("<a>é</a>", "utf16le"), "text/xml; charset=utf-16le"), "é")
    const japanese = Buffer.from("<a>\x1b$B4A;z\x1b(B</a>", "latin1")
    assert.include(bodyText(japanese, "text/xml; charset=iso-2022-jp"), "漢字")
    const latin = Buffer.from("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>", "latin1")
    assert.include(bodyText(latin, "application/xml"), "é")
    assert.include(bodyText(Buffer.from("<a>\xe9</a>", "latin1"), "text/xml; charset=\"iso-8859-1\""), "é")
    assert.include(bodyText(Buffer.from("\ufeff<a>é</a>", "utf16le"), "text/xml; charset=latin1"), "é")
    assert.include(bodyText(Buffer.from("<a>é</a>"), "text/xml; charset=nonsense"), "é")
  })

  it("with the same id are one, and the first one counts", () => {
    const entries = readFeed(rss(item("a", "new"), item("b", "other"), item("a", "old")), URL_OF_FEED)!
    assert.deepStrictEqual(entries.map(({ content, id }) => [id, content]), [["a", "<p>new</p>"], [
      "b",
      "<p>other</p>"
    ]])
  })

  it("with the same id by mistake are identified by their links", () => {
    const item = (name: string, id: string) =>
      `<item><title>${name}</title><link>${name}</link><guid>${id}</guid></item>`
    const items = [item("a", "home"), item("b", "home"), item("c", "own"), item("a", "home")].join("")
    const read = readFeed(`<rss><channel>${items}</channel></rss>`, "https://example.org/")
    assert.deepStrictEqual(read?.map(({ id }) => id), ["https://example.org/a", "https://example.org/b", "own"])
  })

  it("never have addresses other than web addresses", () => {
    const [entry] = readFeed(
      rss("<item><guid>javascript:alert(1)</guid><link>javascript:alert(1)</link></item>"),
      URL_OF_FEED
    )!
    assert.isNull(entry!.url)
  })
})
