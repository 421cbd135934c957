// The parts of Word documents, as Word and others write them.
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { docxText } from "../src/internal/formats/word/docxText.ts"
import { read } from "./support/reading.ts"
import { zip } from "./support/zip.ts"

const part = (name: string, root: string, content: string) => ({
  name: `word/${name}.xml`,
  content: Buffer.from(
    `<?xml version="1.0"?><w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:${root}>`
  )
})

const STYLES = part(
  "styles",
  "styles",
  `<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
   <w:style w:type="paragraph" w:styleId="S"><w:name w:val="Subtitle"/><w:basedOn w:val="T"/></w:style>
   <w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>
   <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Chapter"/><w:basedOn w:val="H2"/></w:style>
   <w:style w:type="paragraph" w:styleId="L"><w:name w:val="Listed"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>
   </w:style>
   <w:style w:type="paragraph" w:styleId="C"><w:name w:val="Circle"/><w:basedOn w:val="C"/></w:style>`
)

const lvl = (level: number, format: string, start = 1) =>
  `<w:lvl w:ilvl="${level}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`

const NUMBERING = part(
  "numbering",
  "numbering",
  `<w:abstractNum w:abstractNumId="0">${lvl(0, "decimal", 5)}${lvl(1, "lowerLetter")}</w:abstractNum>
   <w:abstractNum w:abstractNumId="1">${lvl(0, "bullet")}${lvl(1, "none")}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="0"/>
     <w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/></w:lvlOverride></w:num>`
)

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const p = (content: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const styled = (style: string, text: string) => p(run(text), `<w:pStyle w:val="${style}"/>`)
const item = (list: number, level: number, text: string) =>
  p(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const cell = (content: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`

const docx = (body: string, ...parts: ReadonlyArray<ReturnType<typeof part>>) =>
  zip([STYLES, NUMBERING, ...parts, part("document", "document", `<w:body>${body}</w:body>`)])

const textOf = async (body: string, ...parts: ReadonlyArray<ReturnType<typeof part>>) =>
  (await docxText(docx(body, ...parts))).text

describe("a Word document", () => {
  it("has headings by the names of their styles, of what these are based on, and by their outline", async () => {
    const outlined = (level: number) => p(run("Outline"), `<w:outlineLvl w:val="${level}"/>`)
    const body = styled("T", "Pumps") + styled("S", "Of 2025") + styled("Own", "Valves") + outlined(2) + outlined(9) +
      styled("C", "End")
    const { text, title } = await docxText(docx(body))
    assert.strictEqual(title, "Pumps")
    assert.strictEqual(text, "# Pumps\n\nOf 2025\n\n## Valves\n\n### Outline\n\nOutline\n\nEnd")
  })

  it("numbers its items as Word does", async () => {
    assert.strictEqual(
      await textOf(
        item(1, 0, "five") + item(1, 1, "one") + item(1, 1, "two") + item(1, 0, "six") + item(1, 1, "one") +
          p(run("between")) + item(3, 0, "seven") + item(4, 0, "three") + item(1, 0, "four") + styled("L", "bullet") +
          item(2, 1, "none") + p(run("end"), "<w:numPr><w:numId w:val=\"0\"/></w:numPr>")
      ),
      "5. five\n\n   1. one\n   2. two\n\n6. six\n\n   1. one\n\nbetween\n\n7. seven\n\n3. three\n\n4. four\n\n- bullet\n\nnone\n\nend"
    )
  })

  it("numbers its headings as Word does", async () => {
    const levels = [["upperRoman", "Part %1"], ["decimal", "%2."], ["lowerLetter", "%2.%3)"], ["bullet", "x"]].map(
      ([format, text], level) =>
        `<w:lvl w:ilvl="${level}"><w:start w:val="${
          level + 1
        }"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    )
    const numbering = part(
      "numbering",
      "numbering",
      `<w:abstractNum w:abstractNumId="0">${
        levels.join("")
      }</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
    )
    const heading = (level: number, text: string) =>
      p(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="${level}"/>`)
    const body = heading(0, "Pumps") + heading(1, "Valves") + heading(2, "Open") + heading(2, "") +
      heading(2, "Close") +
      heading(3, "Lock") + heading(0, "Crew") + heading(1, "Watch") + p(run("Plain"), "<w:outlineLvl w:val=\"1\"/>")
    assert.strictEqual(
      (await docxText(zip([numbering, part("document", "document", `<w:body>${body}</w:body>`)]))).text,
      "# Part I Pumps\n\n## 2. Valves\n\n### 2.c) Open\n\n### 2.e) Close\n\n#### Lock\n\n# Part II Crew\n\n## 2. Watch\n\n## Plain"
    )
  })

  it("has its tables row by row, with the names of their columns", async () => {
    const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(p(run("Valve")))}${cell(p(run("Time")))}</w:tr>`
    const row = (properties = "") =>
      `<w:tr>${cell(p(run("V-17")), properties)}${cell(p(run("1")) + p(run("2")))}</w:tr>`
    assert.strictEqual(
      await textOf(`<w:tbl>${head}${row()}</w:tbl><w:tbl>${row()}</w:tbl>`),
      "| Valve | Time |\n| --- | --- |\n| V-17 | 1 2 |\n\nV-17\t1 2"
    )
    assert.include(
      await textOf(`<w:tbl>${head}${row("<w:gridSpan w:val=\"2\"/>")}</w:tbl>`),
      "| Valve | Time |  |\n| --- | --- | --- |\n| V-17 |  | 1 2 |"
    )
  })

  it("has the results of fields, the words under their pronunciation, symbols and breaks", async () => {
    assert.strictEqual(
      await textOf(p(
        `${run("Figure ")}<w:fldSimple w:instr="SEQ Figure">${
          run("3")
        }</w:fldSimple><w:r><w:instrText>PAGE</w:instrText>
        <w:br/><w:tab/><w:sym w:font="Symbol" w:char="F061"/><w:noBreakHyphen/></w:r>
        <w:ruby><w:rt>${run("とうきょう")}</w:rt><w:rubyBase>${run("東京")}</w:rubyBase></w:ruby>`
      )),
      "Figure 3\nα\u2011東京"
    )
  })

  it("has what was inserted, and not what was deleted or is there twice", async () => {
    const box = (text: string) => `<w:txbxContent>${p(run(text))}</w:txbxContent>`
    assert.strictEqual(
      await textOf(
        p(
          `${run("one ")}<w:ins>${run("two ")}</w:ins><w:moveFrom>${run("three")}</w:moveFrom>`,
          "<w:rPr><w:del/></w:rPr>"
        ) +
          p(`${run("four ")}<mc:AlternateContent><mc:Choice>${box("box")}</mc:Choice>
            <mc:Fallback>${box("again")}</mc:Fallback></mc:AlternateContent>${run("five")}`) +
          p(run("six"), "<w:rPr><w:del/></w:rPr>")
      ),
      "one two four five\n\nbox\n\nsix"
    )
  })

  it("has its notes at the end, in the order in which it refers to them", async () => {
    const note = (kind: string, id: number, text: string) => `<w:${kind} w:id="${id}">${p(run(text))}</w:${kind}>`
    assert.strictEqual(
      await textOf(
        p(`${run("One")}<w:r><w:endnoteReference w:id="1"/></w:r>${
          run(" two")
        }<w:r><w:footnoteReference w:id="1"/></w:r>`),
        part("footnotes", "footnotes", note("footnote", 0, "line") + note("footnote", 1, "foot")),
        part("endnotes", "endnotes", note("endnote", 1, "end"))
      ),
      "One[1] two[2]\n\n1. end\n2. foot"
    )
  })

  it("has in its notes what its paragraphs have", async () => {
    const content = p(
      `${run("one")}<w:r><w:tab/></w:r>${run("two")}<w:r><w:br/></w:r>${run("e")}<w:r><w:noBreakHyphen/></w:r>${
        run("mail")
      }<w:del>${run("three")}</w:del><w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>`
    )
    assert.strictEqual(
      await textOf(
        p("<w:r><w:footnoteReference w:id=\"1\"/></w:r>"),
        part("footnotes", "footnotes", `<w:footnote w:id="1">${content}${p(run("four"))}</w:footnote>`)
      ),
      "[1]\n\n1. one two e\u2011mailα four"
    )
  })

  it("has no hidden text", async () => {
    const hidden = (text: string, properties = "<w:vanish/>") =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t><w:tab/></w:r>`
    const styles = part(
      "styles",
      "styles",
      `<w:style w:styleId="V"><w:name w:val="Hidden"/><w:rPr><w:vanish/></w:rPr></w:style>
       <w:style w:styleId="W"><w:basedOn w:val="V"/></w:style>`
    )
    const body =
      p(hidden("a") + run("one ") + hidden("b", "<w:rStyle w:val=\"W\"/>") + run("two"), "<w:rPr><w:vanish/></w:rPr>") +
      p(run("c") + hidden("three", "<w:vanish w:val=\"false\"/>"), "<w:pStyle w:val=\"V\"/>")
    assert.strictEqual(
      (await docxText(zip([styles, part("document", "document", `<w:body>${body}</w:body>`)]))).text,
      "one two\n\nthree"
    )
  })

  it("has the results of fields alone, however they are nested or broken", async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const field = (instruction: string, result: string) =>
      mark("begin") + instruction + mark("separate") + result + mark("end")
    assert.strictEqual(
      await textOf(
        p(
          run("Dear ") + field(field("", run("f")) + run(" = f"), run("Ada") + field(run("x"), run(" B."))) + run("!")
        ) +
          p(mark("end") + run("a") + mark("begin") + run("b")) + p(run("c") + mark("separate") + mark("end") + run("d"))
      ),
      "Dear Ada B.!\n\na\n\ncd"
    )
  })

  it("has words and numbers apart from numbers above the line, and units whole", async () => {
    const raised = (text: string) => `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`
    assert.strictEqual(
      await textOf(
        p(
          run("10") + raised("6") + run(" m") + raised("2") + run(" of sail") + raised("1") + run(", H") +
            `<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>${run("O, 2")}${raised("nd")}`
        ) +
          p(raised("1") + run("Furled"))
      ),
      "10 6 m2 of sail 1, H2O, 2nd\n\n1 Furled"
    )
  })

  it("has a stroke in its fractions", async () => {
    const math = (part: string, text: string) => `<m:${part}><m:r><m:t>${text}</m:t></m:r></m:${part}>`
    assert.strictEqual(
      await textOf(p(`<m:oMath><m:f>${math("num", "1")}${math("den", "2")}</m:f></m:oMath>${run(" l")}`)),
      "1/2 l"
    )
  })

  it("of endless depth is refused", async () => {
    const deep = docxText(docx("<w:p><w:r><w:txbxContent>".repeat(100_000)))
    assert.strictEqual(
      await deep.catch((error: Error) => error.message),
      "The parts of the file are nested too deeply."
    )
  })

  it("may have numbered parts, and pictures that cannot be unpacked", async () => {
    const numbered = ({ content, name }: ReturnType<typeof part>) => ({ content, name: name.replace(".xml", "2.xml") })
    const body = part("document", "document", `<w:body>${styled("H2", "Valves")}${item(2, 0, "open")}</w:body>`)
    const picture = { name: "word/media/a.emf", content: Buffer.alloc(101_000_000) }
    const { text } = await docxText(zip([picture, ...[STYLES, NUMBERING, body].map(numbered)]))
    assert.strictEqual(text, "## Valves\n\n- open")
  })

  it.effect("of 300,000 paragraphs is read", () =>
    Effect.gen(function*() {
      const { text } = yield* read("a.docx", "", docx(p(run("A paragraph of a long document.")).repeat(300_000)))
      assert.lengthOf(text, 300_000 * 33 - 2)
    }).pipe(Effect.provide(layer)), 60_000)
})

describe("the margins of a Word document", () => {
  it("have their text once, and comments their authors", async () => {
    const comments = part(
      "comments",
      "comments",
      `<w:comment w:id="1" w:author="Ada">${p(run("Which one?"))}</w:comment>`
    )
    const header = (name: string, text: string) => part(name, "hdr", p(run(text)))
    const text = await textOf(
      p(run("The key hangs there.")),
      comments,
      header("header1", "Rescue service"),
      header("header2", "Rescue service"),
      part("footer1", "ftr", p(run("7"))),
      part("footer2", "ftr", p(run("Confidential")))
    )
    assert.strictEqual(
      text,
      "The key hangs there.\n\nComment by Ada: Which one?\n\nHeader: Rescue service\n\nFooter: Confidential"
    )
  })
})
