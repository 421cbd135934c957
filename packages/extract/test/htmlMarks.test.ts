// HTML keeps its structure: headings, items, tables and code are marked as in Markdown.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { extent } from "../../../.ci/extent.ts"
import { htmlText } from "../src/internal/formats/htmlText.ts"

const textOf = (html: string) => htmlText(html).text

const lines = (...all: ReadonlyArray<string>) => all.join("\n")

describe("a heading", () => {
  it("is one line with the mark of its level", () => {
    assert.strictEqual(
      textOf("<h1>Pump<br>control</h1><p>One<h3> The <em>V-17</em> <a href=#v>¶</a></h3>two<h6>Six</h6>"),
      "# Pump control\n\nOne\n\n### The V-17\n\ntwo\n\n###### Six"
    )
  })

  it("ends at the next block if it is not closed", () => {
    assert.strictEqual(textOf("<h2>Never closed<p>and the<br>text"), "## Never closed\n\nand the\ntext")
    assert.strictEqual(textOf("<h2><p>In a paragraph</p></h2>text"), "## In a paragraph\n\ntext")
    assert.strictEqual(textOf("<h2></h2>one<h2> <img></h2><p>two"), "one\n\ntwo")
  })

  it("has no mark if it is a paragraph in large letters", () => {
    const long = "word ".repeat(50).trim()
    assert.strictEqual(textOf(`<h2>${long}</h2><p>text`), `${long}\n\ntext`)
  })
})

describe("a list", () => {
  it("has marks, numbers, and nested items below theirs", () => {
    assert.strictEqual(
      textOf(`<p>Steps:<ol><li>Open it<ul><li>the lid<li><p>the box<p>at once</ul><li>Close it</ol>
        <ol start=9><li>Nine<li>Ten<ul><li>more</ul></ol>`),
      lines(
        "Steps:",
        "",
        "1. Open it",
        "",
        "   - the lid",
        "",
        "   - the box",
        "",
        "     at once",
        "",
        "2. Close it",
        "",
        "9. Nine",
        "10. Ten",
        "",
        "    - more"
      )
    )
  })

  it("of links alone is a menu, without marks", () => {
    assert.strictEqual(
      textOf("<ul><li><a href=a>Home</a><li><a>Docs</a>, <a>Help</a></li><li><a>Valve</a>: closes<li></ul>"),
      "Home\nDocs, Help\n- Valve: closes"
    )
    assert.strictEqual(textOf("<nav><h2>Menu</h2><ul><li>Home</li><li>Docs</li></ul></nav>"), "Menu\n\nHome\nDocs")
    assert.strictEqual(textOf("<ul><li><a name=x>One<li>Two</ul>"), "One\n- Two")
  })

  it("may contain headings, which replace the mark", () => {
    assert.strictEqual(textOf("<ul><li><h3>One</h3>text<li>Two</ul>"), "### One\n\ntext\n- Two")
  })

  it("of definitions has each term above its definition", () => {
    assert.strictEqual(
      textOf("<dl><dt>-v<dt>--verbose<dd>Says more.<dt>-q<dd><p>Says less.</p><p>Or nothing.</dd></dl>"),
      "-v\n--verbose\nSays more.\n\n-q\nSays less.\n\nOr nothing."
    )
  })

  it("is not indented further at any depth", () => {
    const { text } = htmlText(`${"<ul><li>x".repeat(50)}${"</ul>".repeat(50)}<p>end`)
    assert.isBelow(Math.max(...text.split("\n").map(({ length }) => length)), 20)
    assert.isTrue(text.endsWith("\n\nend"))
  })
})

describe("a table", () => {
  const head = "<tr><th>Valve<th>Time</tr>"

  it("with column headers has a line for each row", () => {
    assert.strictEqual(
      textOf(
        `<table><caption>Valves</caption><thead>${head}</thead><tr><td>V-17<td>2.8 s<br>a|b</td></tr>
         <tr><td><p>V-18</p></td><td><ul><li>3 s<li>4 s</ul></td></tr></table>after`
      ),
      lines(
        "Valves",
        "",
        "| Valve | Time |",
        "| --- | --- |",
        "| V-17 | 2.8 s a\\|b |",
        "| V-18 | - 3 s - 4 s |",
        "",
        "after"
      )
    )
  })

  it("keeps its columns where cells span several", () => {
    assert.strictEqual(
      textOf(`<table><tr><th rowspan=2>Valve<th colspan=2>Time<tr><th>open<th>close
        <tr><td rowspan=2>V-17<td>1<td>2<tr><td>3<td>4<tr><td colspan=2>none<td>5</table>`),
      lines(
        "| Valve | Time open | close |",
        "| --- | --- | --- |",
        "| V-17 | 1 | 2 |",
        "|  | 3 | 4 |",
        "| none |  | 5 |"
      )
    )
  })

  it.each([
    ["without column headers", "<table><tr><td>Valve<td>Time<tr><td>V-17<td>1 s</table>", "Valve\tTime\nV-17\t1 s"],
    [
      "whose cells hold paragraphs",
      "<table><tr><td><p>Valve</p></td><td><p>Time</p><p>in s</p></td></tr><tr><td><p>V|17<td><p>1</table>after",
      "Valve\tTime in s\nV|17\t1\n\nafter"
    ],
    ["of names and values", "<table><tr><th>Valve<td>V-17<tr><th>Time<td>1 s</table>", "Valve\tV-17\nTime\t1 s"],
    ["of one column", "<table><tr><th>Valve<tr><td>V-17</table>", "Valve\nV-17"],
    ["of headers alone", `<table>${head}</table>`, "Valve\tTime"],
    ["with code", `<table>${head}<tr><td>a<td><pre>b</pre></table>`, "Valve\tTime\na\n\n```\nb\n```"],
    ["with headings", `<table>${head}<tr><td><h2>a</h2><td>b</table>`, "Valve\tTime\n\n## a\n\nb"],
    ["around a table", `<table>${head}<tr><td>a<table><tr><td>b</table><td>c</table>`, "Valve\tTime\na\n\nb\n\nc"],
    ["with text between its cells", `<table>${head}<tr>x<td>a<td>b</table>`, "Valve\tTime\nx\ta\tb"],
    [
      "with long cells",
      `<table>${head}<tr><td>a<td>${"b".repeat(1_001)}</table>`,
      `Valve\tTime\na\t${"b".repeat(1_001)}`
    ],
    [
      "with long cells of paragraphs",
      `<table><tr><td><p>a</p><td><p>b</p><p>${"c ".repeat(600)}d</p><td><p>e</table>`,
      `a\tb\n\n${"c ".repeat(600)}d\n\ne`
    ],
    [
      "with two captions",
      `<table><caption>x</caption><caption>y</caption>${head}<tr><td>a<td>b</table>`,
      "x\ny\nValve\tTime\na\tb"
    ],
    ["with many rows of headers", `<table>${"<tr><th>a<th>b".repeat(6)}<tr><td>c</table>`, `${"a\tb\n".repeat(6)}c`],
    ["that is not closed", `<table>${head}<tr><td>a<td>b`, "Valve\tTime\na\tb"]
  ])("%s stays plain lines", (_, html, text) => assert.strictEqual(textOf(html), text))
})

describe("preformatted text", () => {
  const page = `<p>${"Some words of the page around it. ".repeat(5)}</p>`

  it("is in fences, indented like its item", () => {
    const [, ...code] = textOf(`${page}<pre>
  if (a)

    b
</pre><ol><li>Run:<pre>one
two</pre>then</ol>`).split("\n")
    assert.deepStrictEqual(code, [
      "",
      "```",
      "  if (a)",
      "",
      "    b",
      "```",
      "",
      "1. Run:",
      "",
      "   ```",
      "   one",
      "   two",
      "   ```",
      "",
      "   then"
    ])
  })

  it("has a fence that it does not contain", () => {
    assert.include(textOf(`${page}<pre>\`\`\`js\n1\n\`\`\`</pre>`), "~~~\n```js\n1\n```\n~~~")
    assert.notInclude(textOf(`${page}<pre>\`\`\`\n~~~</pre>`), "~~~\n```")
  })

  it("is the page itself if it is most of it", () => {
    assert.strictEqual(textOf("<h1>Re: pump</h1><pre>Hi,\n\nit works.\n</pre>"), "# Re: pump\n\nHi,\n\nit works.")
    assert.strictEqual(textOf("<pre>Never closed<h2>x</h2><ul><li>y"), "Never closed\n\nx\n\ny")
  })
})

describe("line breaks", () => {
  it("are paragraphs where they leave an empty line", () => {
    assert.strictEqual(
      textOf("one<br>two<br><br>three<div>four</div><div><br></div>five"),
      "one\ntwo\n\nthree\nfour\n\nfive"
    )
  })
})

// Of a page with other text, a menu is left out.
const TAGS = "h1 h2 p br div a ul ol li dl dt dd b blockquote table table tr tr th th th td td caption pre".split(
  " "
)
const OPENED = [...TAGS, "td colspan=2", "td rowspan=3"].map((tag) => `<${tag}>`)
const TOKENS = [...OPENED, ...TAGS.map((tag) => `</${tag}>`), "", "", "", "", " ", "\n"]

describe("any markup", () => {
  it.prop(
    "loses no word",
    [Schema.Array(Schema.Literals(TOKENS)).check(Schema.isMaxLength(60))],
    ([tokens]) => {
      const words = tokens.map((_, at) => `w${at}`)
      const text = textOf(tokens.map((token, at) => `${token}w${at} `).join(""))
      assert.deepStrictEqual(text.match(/w\d+/g)?.toSorted() ?? [], words.toSorted())
    },
    { arbitrary: { runs: extent(300, 2_000) } }
  )

  it("is read in linear time", () => {
    const many = 30_000
    const started = process.cpuUsage()
    const row = "<tr><td rowspan=20 colspan=20>a<td>b"
    for (
      const html of [
        "<ul><li>x".repeat(many),
        "<ul><li><pre>\nx".repeat(many),
        `<ul><li>${"<ul>".repeat(many)}${"<pre>\nx\n</pre>".repeat(many)}`,
        "<h2>x".repeat(many),
        `<h2>${"<li>x".repeat(many)}`,
        "<table><tr><th>a<th>b<tr><td>c".repeat(many),
        `${"<table><tr><th>a<th>b<tr><td>c".repeat(many)}${"</table>".repeat(many)}`,
        `<table><tr><th>a<th>b${row.repeat(many)}</table>`,
        `<table><tr>${"<td><p>a<p>b".repeat(many)}</table>`,
        `<table>${"<tr><th>a<th>b".repeat(many)}<tr><td>c</table>`,
        `<table><tr><th>a${"<th>b".repeat(many)}${"<tr>".repeat(many)}<tr><td>c</table>`,
        "<dl><dt>x<dd>y".repeat(many),
        "<p>x<pre>y</pre>".repeat(many),
        "<br>".repeat(many)
      ]
    ) htmlText(html)
    assert.isBelow(process.cpuUsage(started).user, 8e6)
  })
})
