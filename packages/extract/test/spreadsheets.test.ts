// The parts of workbooks, as Excel, LibreOffice and others write them.
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { odfText } from "../src/internal/formats/opendocument/odfText.ts"
import { xlsxText } from "../src/internal/formats/office/xlsxText.ts"
import { read } from "./support/reading.ts"
import { zip } from "./support/zip.ts"

const part = (name: string, xml: string) => ({ name, content: Buffer.from(xml) })

interface Sheet {
  readonly name: string
  readonly state?: string
  readonly rows: string
  readonly merged?: string
}

const FORMATS =
  `<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm"/>
  <numFmt numFmtId="166" formatCode="0.00&quot; days&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs>${[0, 14, 164, 10, 165, 166, 20].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs>`

const xlsx = (sheets: ReadonlyArray<Sheet>, strings: ReadonlyArray<string> = [], properties = "") =>
  zip([
    part(
      "xl/workbook.xml",
      `<workbook xmlns:r="r"><workbookPr ${properties}/><sheets>${
        sheets.map(({ name, state = "visible" }, at) =>
          `<sheet name="${name}" sheetId="${at + 7}" state="${state}" r:id="rId${at}"/>`
        ).join("")
      }</sheets></workbook>`
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `<Relationships>${
        // The first sheet has the last part.
        sheets.map((_, at) => `<Relationship Id="rId${at}" Target="worksheets/sheet${sheets.length - at}.xml"/>`).join(
          ""
        )}</Relationships>`
    ),
    part("xl/styles.xml", `<styleSheet>${FORMATS}</styleSheet>`),
    part("xl/sharedStrings.xml", `<sst>${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`),
    ...sheets.map(({ merged = "", rows }, at) =>
      part(
        `xl/worksheets/sheet${sheets.length - at}.xml`,
        `<worksheet><sheetData>${rows}</sheetData><mergeCells>${merged}</mergeCells></worksheet>`
      )
    )
  ])

const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (place: string, value: number | string, style = 0) => `<c r="${place}" s="${style}"><v>${value}</v></c>`

const textOf = async (...given: Parameters<typeof xlsx>) => (await xlsxText(xlsx(...given))).text

describe("an Excel workbook", () => {
  it("is read sheet by sheet in their order, each value after its column's name, without hidden sheets", async () => {
    const boats = row(2, text("B2", "Boat") + text("D2", "Crew")) + row(3, text("B3", "Kite") + number("D3", 4)) +
      row(9, text("B9", "Gull") + number("D9", 6))
    const found = await textOf([
      { name: "Boats", rows: boats },
      { name: "Lookups", state: "veryHidden", rows: row(1, text("A1", "secret")) },
      { name: "Empty", rows: "" },
      { name: "Notes", rows: row(1, text("A1", "Radios are checked daily.")) }
    ])
    assert.strictEqual(
      found,
      "# Boats\n\nBoat: Kite\nCrew: 4\n\nBoat: Gull\nCrew: 6\n\n# Notes\n\nRadios are checked daily."
    )
  })

  it("has the runs of shared texts, without how they are pronounced", async () => {
    const strings = ["<r><t>Spare </t></r><r><t>key</t></r><rPh><t>kii</t></rPh>", "<t>Locker</t>"]
    const shared = (place: string, index: number) => `<c r="${place}" t="s"><v>${index}</v></c>`
    const rows = row(1, shared("A1", 1)) + row(2, shared("A2", 0))
    assert.strictEqual(await textOf([{ name: "Keys", rows }], strings), "# Keys\n\nLocker: Spare key")
  })

  it("has days, times, percentages and the stored values of formulas", async () => {
    const formula = "<c r=\"H1\" t=\"str\"><f>A1&amp;B1</f><v>Kite and Gull</v></c><c r=\"I1\" t=\"b\"><v>1</v></c>"
    const values = number("A1", 45_720, 1) + number("B1", 45_720.395833333336, 2) + number("C1", 0.125, 3) +
      number("D1", 1.0625, 4) + number("E1", 0.1 + 0.2) + number("F1", 2.5, 5) + number("G1", 0.5, 6) + formula
    const [, ...shown] = (await textOf([{ name: "Times", rows: row(1, values) }])).split("\n\n")
    assert.deepStrictEqual(shown.join("\n").split("\n"), [
      "2025-03-04",
      "2025-03-04 09:30",
      "12.5%",
      "25:30:00",
      "0.3",
      "2.5",
      "12:00",
      "Kite and Gull",
      "TRUE"
    ])
    const rows = row(1, number("A1", 44_258, 1))
    assert.include(await textOf([{ name: "Old", rows }], [], "date1904=\"1\""), "2025-03-04")
  })

  it("repeats what merged cells say in each of their rows", async () => {
    const rows = row(1, text("A1", "Pier") + text("B1", "Boat")) + row(2, text("A2", "North") + text("B2", "Kite")) +
      row(3, text("B3", "Gull"))
    const merged = "<mergeCell ref=\"A2:A1048576\"/>"
    assert.include(await textOf([{ name: "Piers", rows, merged }]), "Pier: North\nBoat: Gull")
  })

  it("with cells far apart, or with one long text in many of them, takes little memory", async () => {
    const far = Array.from(
      { length: 3_000 },
      (_, at) => row(at + 1, text(`${at % 2 === 0 ? "A" : "XFD"}${at + 1}`, "x"))
    )
    assert.lengthOf((await textOf([{ name: "Far", rows: far.join("") }])).split("\n\n"), 3_000)
    const many = Array.from({ length: 500 }, (_, at) => row(at + 1, `<c r="A${at + 1}" t="s"><v>0</v></c>`))
    const long = textOf([{ name: "Long", rows: many.join("") }], [`<t>${"long ".repeat(20_000)}</t>`])
    assert.match(await long.then(String, String), /more than \d+ characters/)
  })

  it.layer(layer)((it) => {
    it.effect("is recognized by its bytes", () =>
      Effect.gen(function*() {
        const bytes = xlsx([{ name: "Boats", rows: row(1, text("A1", "Kite")) }])
        assert.strictEqual((yield* read("export", "application/octet-stream", bytes)).text, "# Boats\n\nKite")
      }))
  })
})

const ods = (tables: string) =>
  zip([
    part("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    part(
      "content.xml",
      `<office:document-content><office:automatic-styles>
         <style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>
       </office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
    )
  ])

const odfCell = (value: string, attributes = "") =>
  `<table:table-cell ${attributes}><text:p>${value}</text:p></table:table-cell>`
const odfRow = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`

describe("an OpenDocument spreadsheet", () => {
  it("has what its cells show, repeated and merged ones included, and its comments, without hidden sheets", async () => {
    const empty = "<table:table-cell table:number-columns-repeated=\"16000\"/>"
    const comment = "<office:annotation><dc:creator>Ada</dc:creator><text:p>really?</text:p></office:annotation>"
    const rows = odfRow(odfCell("Pier") + odfCell("Boat") + odfCell("Crew") + empty) +
      odfRow(odfCell("North", "table:number-rows-spanned=\"2\"") + odfCell(`${comment}Kite`) + odfCell("4.5 %")) +
      odfRow(
        `<table:covered-table-cell/>${odfCell("Gull &amp; Co")}${odfCell("six")}`,
        "table:number-rows-repeated=\"2\""
      ) +
      odfRow(empty, "table:number-rows-repeated=\"1048000\"")
    const { text } = await odfText(ods(
      `<table:table table:name="Piers">${rows}</table:table>
       <table:table table:name="Old" table:style-name="ta2">${odfRow(odfCell("secret"))}</table:table>`
    ))
    assert.strictEqual(
      text,
      "# Piers\n\nPier: North\nBoat: Kite\nCrew: 4.5 %\n\nPier: North\nBoat: Gull & Co\nCrew: six\n\nBoat: Gull & Co\nCrew: six\n\n" +
        "Comment by Ada on B2: really?"
    )
  })

  it("with one cell repeated to the end of the sheet is read in little time", async () => {
    const rows = odfRow(
      odfCell("again", "table:number-columns-repeated=\"16000\""),
      "table:number-rows-repeated=\"1048576\""
    )
    const text = odfText(ods(`<table:table table:name="All">${rows}</table:table>`)).then(({ text }) => text, String)
    assert.match(await text, /more than \d+ characters/)
  })
})
