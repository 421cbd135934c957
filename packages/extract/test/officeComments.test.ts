// Comments on cells and slides, as older and newer programs write them.
import { assert, describe, it } from "@effect/vitest"
import { pptxText } from "../src/internal/formats/office/pptxText.ts"
import { xlsxText } from "../src/internal/formats/office/xlsxText.ts"
import { zip } from "./support/zip.ts"

const part = (name: string, xml: string) => ({ name, content: Buffer.from(xml) })

/** Each by its type and its target. */
const relations = (name: string, ...all: ReadonlyArray<readonly [type: string, target: string]>) =>
  part(
    name,
    `<Relationships>${
      all.map(([type, target], at) => `<Relationship Id="r${at}" Type="http://x/${type}" Target="${target}"/>`).join("")
    }</Relationships>`
  )

const SHEETS = [1, 2]

const xlsx = (...parts: ReadonlyArray<ReturnType<typeof part>>) =>
  zip([
    part(
      "xl/workbook.xml",
      `<workbook xmlns:r="r"><sheets>${
        SHEETS.map((at) => `<sheet name="S${at}" r:id="r${at - 1}"/>`).join("")
      }</sheets></workbook>`
    ),
    relations(
      "xl/_rels/workbook.xml.rels",
      ...SHEETS.map((at) => ["worksheet", `worksheets/sheet${at}.xml`] as const)
    ),
    part(
      "xl/worksheets/sheet1.xml",
      "<worksheet><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Kite</t></is></c></row></worksheet>"
    ),
    part("xl/worksheets/sheet2.xml", "<worksheet/>"),
    ...parts
  ])

const OLDER = `<comments><authors><author>Ada</author><author>tc={1}</author></authors><commentList>
  <comment ref="A1" authorId="0"><text><r><t>Ask the </t></r><r><t>harbour.</t></r></text></comment>
  <comment ref="B2" authorId="1"><text><t>[Threaded comment] Which one?</t></text></comment></commentList></comments>`

describe("a comment", () => {
  it("on a cell follows its sheet, with its replies and once", async () => {
    const bytes = xlsx(
      relations(
        "xl/worksheets/_rels/sheet1.xml.rels",
        ["comments", "../comments1.xml"],
        ["threadedComment", "/xl/threadedComments/threadedComment1.xml"]
      ),
      relations("xl/worksheets/_rels/sheet2.xml.rels", ["comments", "../comments1.xml"]),
      part("xl/comments1.xml", OLDER),
      part(
        "xl/threadedComments/threadedComment1.xml",
        `<ThreadedComments><threadedComment ref="B2" personId="{7}" id="{1}"><text>Which one?</text></threadedComment>
         <threadedComment ref="B2" personId="{8}" id="{2}" parentId="{1}"><text>The red one.</text></threadedComment></ThreadedComments>`
      ),
      part("xl/persons/person.xml", `<personList><person displayName="Bo" id="{7}"/></personList>`)
    )
    assert.strictEqual(
      (await xlsxText(bytes)).text,
      "# S1\n\nKite\n\nComment by Ada on A1: Ask the harbour.\n\nComment by Bo on B2: Which one?\n\nComment on B2: The red one."
    )
  })

  it("on a sheet without anything else is read", async () => {
    const bytes = xlsx(
      relations("xl/worksheets/_rels/sheet2.xml.rels", ["comments", "../comments2.xml"]),
      part("xl/comments2.xml", OLDER)
    )
    assert.strictEqual((await xlsxText(bytes)).text, "# S1\n\nKite\n\n# S2\n\nComment by Ada on A1: Ask the harbour.")
  })

  it.each([
    [
      "older",
      part("ppt/commentAuthors.xml", `<p:cmAuthorLst><p:cmAuthor id="3" name="Ada"/></p:cmAuthorLst>`),
      `<p:cmLst><p:cm authorId="3"><p:pos x="1"/><p:text>Too long?</p:text></p:cm></p:cmLst>`,
      "Comment by Ada: Too long?"
    ],
    [
      "newer",
      part(
        "ppt/authors.xml",
        `<p188:authorLst><p188:author id="{3}" name="Ada"/><p188:author id="{4}" name="Bo"/></p188:authorLst>`
      ),
      `<p188:cmLst><p188:cm authorId="{3}"><p188:replyLst><p188:reply authorId="{4}"><p188:txBody><a:p><a:r><a:t>No.</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>
       <p188:txBody><a:p><a:r><a:t>Too</a:t></a:r></a:p><a:p><a:r><a:t>long?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>`,
      "Comment by Ada: Too long?\n\nComment by Bo: No."
    ]
  ])("of %s programs on a slide follows it", async (_, authors, comments, text) => {
    const bytes = zip([
      part("ppt/presentation.xml", `<p:presentation><p:sldId id="256" r:id="r0"/></p:presentation>`),
      relations("ppt/_rels/presentation.xml.rels", ["slide", "slides/slide1.xml"]),
      part("ppt/slides/slide1.xml", `<p:sld><p:sp><a:p><a:r><a:t>Boats</a:t></a:r></a:p></p:sp></p:sld>`),
      relations("ppt/slides/_rels/slide1.xml.rels", ["comments", "../comments/comment1.xml"]),
      part("ppt/comments/comment1.xml", comments),
      authors
    ])
    assert.strictEqual((await pptxText(bytes)).text, `Boats\n\n${text}`)
  })
})
