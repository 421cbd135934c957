// Presentations, OpenDocument texts, RTF files and books, as several programs write them.
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { read, refusal } from "./support/reading.ts"
import { rtfText } from "../src/internal/formats/rtf/rtfText.ts"
import { zip } from "./support/zip.ts"

const part = (name: string, xml: string) => ({ name, content: Buffer.from(xml) })

const relations = (name: string, all: ReadonlyArray<readonly [id: string, type: string, target: string]>) =>
  part(
    name,
    `<Relationships>${
      all.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join("")
    }</Relationships>`
  )

const p = (text: string, properties = "") => `<a:p><a:pPr ${properties}/><a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (place: string, ...paragraphs: ReadonlyArray<string>) =>
  `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join("")}</p:txBody></p:sp>`
const place = (type: string) => `<p:ph type="${type}"/>`
const tc = (text: string, attributes = "") => `<a:tc ${attributes}><a:txBody>${p(text)}</a:txBody></a:tc>`

const PPTX = zip([
  part(
    "ppt/presentation.xml",
    `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId9"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst></p:presentation>`
  ),
  relations("ppt/_rels/presentation.xml.rels", [
    ["rId3", "slide", "slides/slide1.xml"],
    ["rId9", "slide", "/ppt/slides/slide2.xml"]
  ]),
  part(
    "ppt/slides/slide1.xml",
    `<p:sld>${shape(place("title"), p("Boats"))}
     ${shape("<p:ph idx=\"1\"/>", p("Kite"), p("Crew of four", "lvl=\"1\""), p("Gull"))}
     <p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr>${tc("Boat")}${tc("Pier")}</a:tr><a:tr>${tc("Kite")}${
      tc("4")
    }</a:tr></a:tbl></p:graphicFrame>
     ${shape(place("sldNum"), p("2"))}${shape("", p("In a box"))}</p:sld>`
  ),
  relations("ppt/slides/_rels/slide1.xml.rels", [["rId1", "notesSlide", "../notesSlides/notesSlide1.xml"]]),
  part(
    "ppt/notesSlides/notesSlide1.xml",
    `<p:notes>${shape(place("sldImg"))}${shape(place("body"), p("Mention the radio."), p("And the key."))}</p:notes>`
  ),
  part("ppt/slides/slide2.xml", `<p:sld>${shape(place("ctrTitle"), p("Rescue 🚣 service"))}</p:sld>`),
  part("docProps/core.xml", `<cp:coreProperties><dc:creator>Ada</dc:creator></cp:coreProperties>`)
])

const odf = (type: string, content: string) =>
  zip([
    part("mimetype", `application/vnd.oasis.opendocument.${type}`),
    part("META-INF/manifest.xml", "<manifest:manifest/>"),
    part("meta.xml", "<office:document-meta><dc:creator>Ada</dc:creator></office:document-meta>"),
    part(
      "content.xml",
      `<office:document-content><office:automatic-styles><style:style style:name="H"><style:text-properties text:display="none"/></style:style>
       <text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
       </office:automatic-styles><office:body>${content}</office:body></office:document-content>`
    )
  ])

const ODT = odf(
  "text",
  `<office:text><text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>
   <text:h text:outline-level="2">Keys</text:h>
   <text:p>The<text:s text:c="3"/>spare <text:span text:style-name="H">secret</text:span>key<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Made in 2025.</text:p></text:note-body></text:note> 🚣<office:annotation><dc:creator>Bo</dc:creator><dc:date>2025-03-04</dc:date><text:p>Which one?</text:p></office:annotation> hangs there since <text:date text:date-value="2024-05-06">6 May</text:date>.</text:p>
   <text:list text:style-name="L"><text:list-item><text:p>Ask</text:p><text:list><text:list-item><text:p>nicely</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Return</text:p></text:list-item></text:list>
   <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Key</text:p></table:table-cell><table:table-cell><text:p>Place</text:p></table:table-cell></table:table-row></table:table-header-rows>
   <table:table-row><table:table-cell><text:p>Spare</text:p></table:table-cell><table:table-cell><text:p>Locker 7</text:p></table:table-cell></table:table-row></table:table></office:text>`
)

const ODP = odf(
  "presentation",
  `<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Boats</text:p></draw:text-box></draw:frame>
   <draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>
   <presentation:notes><draw:frame><draw:text-box><text:p>Mention the radio.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>`
)

const EPUB = zip([
  part("mimetype", "application/epub+zip"),
  part(
    "META-INF/container.xml",
    `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`
  ),
  part(
    "OEBPS/book.opf",
    `<package><metadata><dc:title>Handbook</dc:title><dc:creator>Ada</dc:creator></metadata>
     <manifest><item id="b" href="second%20one.xhtml"/><item id="a" href="text/first.xhtml"/></manifest>
     <spine><itemref idref="a"/><itemref idref="b"/></spine></package>`
  ),
  part("OEBPS/second one.xhtml", "<html><body><h1>Keys</h1><p>Locker 7.</p></body></html>"),
  part("OEBPS/text/first.xhtml", "<html><body><h1>Boats</h1><p>Kite 🚣 and Gull.</p></body></html>")
])

describe("a document", () => {
  it.layer(layer)((it) => {
    it.effect("of PowerPoint has its slides in order with items, tables and notes, without their numbers", () =>
      Effect.gen(function*() {
        const { authors, text, title } = yield* read("a.pptx", "", PPTX)
        assert.deepStrictEqual([title, authors], ["Rescue 🚣 service", ["Ada"]])
        assert.strictEqual(
          text,
          [
            "# Rescue 🚣 service",
            "## Boats",
            "- Kite\n\n  - Crew of four\n\n- Gull",
            "| Boat | Pier |\n| --- | --- |\n| Kite | 4 |",
            "In a box",
            "Notes: Mention the radio.",
            "And the key."
          ].join("\n\n")
        )
      }))

    it.effect("of OpenDocument has headings, lists, tables, notes and comments, without what is hidden or deleted", () =>
      Effect.gen(function*() {
        const { authors, text } = yield* read("a.odt", "", ODT)
        assert.deepStrictEqual(authors, ["Ada"])
        assert.strictEqual(
          text,
          [
            "## Keys",
            "The spare key[1] 🚣 hangs there since 6 May.",
            "1. Ask\n\n   - nicely\n\n2. Return",
            "| Key | Place |\n| --- | --- |\n| Spare | Locker 7 |",
            "1. Made in 2025.",
            "Comment by Bo: Which one?"
          ].join("\n\n")
        )
        const slides = yield* read("a.odp", "", ODP)
        assert.strictEqual(slides.text, "## Boats\n\nIn a box\n\nNotes: Mention the radio.")
      }))

    it.effect("that is a book has its chapters in the order in which they are read", () =>
      Effect.gen(function*() {
        const { authors, text, title } = yield* read("a.epub", "", EPUB)
        assert.deepStrictEqual([title, authors], ["Handbook", ["Ada"]])
        assert.strictEqual(text, "# Boats\n\nKite 🚣 and Gull.\n\n# Keys\n\nLocker 7.")
      }))

    it.effect("that is truncated, or an archive of something else, is refused", () =>
      Effect.gen(function*() {
        for (const bytes of [PPTX, ODT, EPUB]) {
          assert.match((yield* refusal("a", "", bytes.subarray(0, bytes.length - 40))).message, /damaged/)
        }
        const other = yield* refusal("a.zip", "application/zip", zip([part("readme.txt", "Kite")]))
        assert.match(other.message, /not supported/)
      }))
  })
})

describe("an RTF file", () => {
  const rtf = (body: string) => rtfText(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`, "latin1"))

  it("has its paragraphs, title and author, without fonts, pictures and instructions", () => {
    const { authors, text, title } = rtf(
      `{\\fonttbl{\\f0 Arial;}}{\\*\\generator Riched20;}{\\info{\\title Keys}{\\author Ada}{\\company X}}
{\\pard\\outlinelevel0 Keys\\par}{\\pict\\wmetafile8 0123abcd}{\\pict\\bin4 {{{{}\\pard The {\\b spare} key{\\v secret} hangs\\par
{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt there}}.\\line Now\\tab\\{so\\}.}`
    )
    assert.deepStrictEqual([title, authors], ["Keys", ["Ada"]])
    assert.strictEqual(text, "# Keys\n\nThe spare key hangs\n\nthere.\nNow {so}.")
  })

  it("has headings by the names of their styles", () => {
    const styles = "{\\stylesheet{\\s0 Normal;}{\\s3\\sbasedon0 heading 2;}}"
    assert.strictEqual(
      rtf(`${styles}\\pard\\s3 Keys\\par\\pard\\s0 Hang\\par there.`).text,
      "## Keys\n\nHang\n\nthere."
    )
  })

  it("has characters of every encoding, once", () => {
    const fonts = "{\\fonttbl{\\f1\\fcharset204 A;}{\\f2\\fcharset128 B;}}"
    assert.strictEqual(
      rtf(
        `${fonts}caf\\'e9 \\u8364?\\uc2\\u-10179??\\u-8553\\'3f\\'3f {\\f1\\'ea\\'eb\\'fe\\'f7} {\\f2\\'93\\'fa\\'96\\'7b} \\rdblquote`
      ).text,
      "café €🚗 ключ 日本 ”"
    )
  })

  it("has tables, items and notes", () => {
    const row = (...cells: ReadonlyArray<string>) =>
      `\\trowd ${cells.map((cell) => `\\intbl ${cell}\\cell`).join("")}\\row `
    const { text } = rtf(
      `${row("Boat", "Crew")}${
        row("Kite", "four\\par or five")
      }\\pard{\\listtext \\bullet\\tab}One\\par{\\listtext \\bullet\\tab}Two\\par` +
        `\\pard Done{\\super\\chftn}{\\footnote\\pard In 2025.} now.\\par`
    )
    assert.strictEqual(text, "Boat\tCrew\nKite\tfour or five\n\n- One\n- Two\n\nDone[1] now.\n\n1. In 2025.")
  })

  it("that nests without end is refused, and one that breaks off is read up to there", () => {
    assert.throws(() => rtf("{".repeat(100_000)), /nested too deeply/)
    assert.strictEqual(rtf("Kite {\\b and").text, "Kite and")
    assert.strictEqual(rtf("}}}Kite").text, "")
  })
})
