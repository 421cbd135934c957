import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { unitsOf } from "../../src/text/units.ts"

const read = (text: string) =>
  unitsOf(text).map(({ end, form, headings, lead, start }) => ({
    form,
    text: text.slice(start, end),
    under: headings.map((heading) => text.slice(heading.start, heading.end)),
    lead: lead === null ? null : text.slice(lead.start, lead.end)
  }))

const LINES = [
  "# Hours",
  "## Pay",
  "The pier is closed.",
  "Title",
  "=====",
  "-----",
  "---",
  "| Name | Port |",
  "| --- | --- |",
  "| web | 80 |",
  "- item",
  "```",
  "::: tip Read this",
  "Like this:",
  "status: draft",
  "<b>Bold</b>",
  ""
] as const

describe("the units of a text", () => {
  it.prop("are at least one, if it has a word", [Schema.Array(Schema.Literals(LINES))], ([lines]) => {
    if (lines.some((line) => /\p{L}/u.test(line))) assert.isAbove(read(lines.join("\n")).length, 0)
  }, { arbitrary: { runs: 1_000 } })

  it("are its paragraphs, the first one with its heading, all with the path of headings", () => {
    const text = "# Handbook\n\n## Leave\n\nThirty days a year.\n\nAsk in time.\n\n## Pay\n\nOn the 25th."
    assert.deepStrictEqual(read(text), [
      {
        form: "paragraph",
        text: "## Leave\n\nThirty days a year.",
        under: ["# Handbook", "## Leave"],
        lead: null
      },
      { form: "paragraph", text: "Ask in time.", under: ["# Handbook", "## Leave"], lead: null },
      { form: "paragraph", text: "## Pay\n\nOn the 25th.", under: ["# Handbook", "## Pay"], lead: null }
    ])
  })

  it("are headings that have nothing under them, as a line with the date of a release may be read", () => {
    const text = "CHANGES FROM 2.2 TO 2.3, 29 September 2016\n\nFixes\n=====\n\nNone.\n\n## Empty\n\n## Last\n\nEnd."
    assert.deepStrictEqual(read(text).map(({ text }) => text), [
      "CHANGES FROM 2.2 TO 2.3, 29 September 2016",
      "Fixes\n=====\n\nNone.",
      "## Empty",
      "## Last\n\nEnd."
    ])
  })

  it("are items with what introduces their list, not with a paragraph of the item before, and code with that", () => {
    const rules = "On the pier these rules hold."
    const text = `${rules}\n\n- No fire.\n\n  Not even this:\n\n- No dogs.\n\n  Not even mine.\n\n- No cars.`
    const leads = new Map(read(text).map(({ lead, text }) => [text, lead]))
    assert.strictEqual(leads.get("- No cars."), rules)
    assert.include([...leads.values()], rules)
    assert.notInclude([...leads.values()], "Not even this:")
    assert.notInclude([...leads.values()], "Not even mine.")
    const [, , code] = read("Steps.\n\n- First.\n\n  Run it as root.\n\n  ```\n  start\n  ```").slice(-3)
    assert.strictEqual(code?.lead, "Run it as root.")
  })

  it("are a heading that ends the text, or is all of it", () => {
    assert.deepStrictEqual(read("# The pier opens at eleven").map(({ text }) => text), ["# The pier opens at eleven"])
    assert.deepStrictEqual(read("Hours\n=====\n\nDaily.\n\n## Closed").map(({ text }) => text), [
      "Hours\n=====\n\nDaily.",
      "## Closed"
    ])
  })

  it("are pieces of a text without line breaks, also if it begins as a heading does", () => {
    const units = read(`# 1. Hours ${"The pier opens at eleven. ".repeat(200)}`)
    assert.isAbove(units.length, 4)
    for (const { form, text } of units) {
      assert.strictEqual(form, "paragraph")
      assert.isAtMost(text.length, 1_000)
    }
  })

  it("are table rows with the header of their table", () => {
    const text = "Ports:\n\n| Name | Port |\n| --- | --- |\n| web | 80 |\n| mail | 25 |"
    assert.deepStrictEqual(read(text).slice(1), [
      { form: "row", text: "| mail | 25 |", under: [], lead: "| Name | Port |" }
    ])
  })

  it("are the rows of a table that follows a line of text, or whose header is above the text", () => {
    assert.deepStrictEqual(read("Ports\n| Name | Port |\n| --- | --- |\n| web | 80 |").at(-1), {
      form: "row",
      text: "| web | 80 |",
      under: [],
      lead: "| Name | Port |"
    })
    assert.deepStrictEqual(read("| web | 80 |\n| mail | 25 |").map(({ form, text }) => [form, text]), [
      ["row", "| web | 80 |"],
      ["row", "| mail | 25 |"]
    ])
  })

  it("are the rows of a table that is drawn", () => {
    const text = "┌───┬────┐\n│Key│Does│\n├───┼────┤\n│c  │opens a\n│   │folder│\n├───┼────┤\n│q  │quits│\n└───┴────┘\n"
    assert.deepStrictEqual(read(text).map(({ text }) => text), [
      "│Key│Does│",
      "│c  │opens a\n│   │folder│",
      "│q  │quits│"
    ])
    assert.deepStrictEqual(read("+---+---+\n| c | d |\n+===+===+\n| e | f |").map(({ text }) => text), [
      "| c | d |",
      "| e | f |"
    ])
  })

  it("are code up to the first fence of a text that was cut out of code", () => {
    const text = "npm start\n```\n\nIt listens on 8787.\n\n## Test\n\n```sh\nnpm test\n```"
    assert.deepStrictEqual(read(text).map(({ form, text }) => [form, text]), [
      ["code", "npm start\n```"],
      ["paragraph", "It listens on 8787."],
      ["code", "## Test\n\n```sh\nnpm test\n```"]
    ])
    assert.deepStrictEqual(read(text.replace("sh", "")).map(({ form }) => form), ["code", "paragraph", "code"])
  })

  it("are not headed by a comment in indented code", () => {
    const text = "# Guide\n\nRun it:\n\n    # as root\n    make\n\nThen wait."
    assert.deepStrictEqual(read(text).map(({ under }) => under), [["# Guide"], ["# Guide"]])
  })

  it("are list items with their introduction, and code with the sentence before it", () => {
    const text = "It runs on:\n\n- Linux\n- Windows\n\nInstall it:\n\n```\nmake install\n```\n"
    assert.deepStrictEqual(read(text).map(({ lead, text }) => [text, lead]), [
      ["It runs on:\n\n- Linux", null],
      ["- Windows", "It runs on:"],
      ["Install it:\n\n```\nmake install\n```", null]
    ])
  })

  it("are found in plain text, whose headings are separate lines or underlined", () => {
    const text = "Guide\n=====\n\nWhat is it?\n\nA bird.\n\n2.1. Food\n\n  It eats fish.\n\n  It drinks."
    assert.deepStrictEqual(read(text).map(({ text, under }) => [text, under.at(-1)]), [
      ["What is it?\n\nA bird.", "What is it?"],
      ["2.1. Food\n\n  It eats fish.", "2.1. Food"],
      ["It drinks.", "2.1. Food"]
    ])
  })

  it("are not headed by a line of markup, which leaves the heading to what it is about", () => {
    const text = "## Teams\n\n![A team](team.png)\n\nA team has members.\n\n<a id=\"x\"></a>\n\n- Ada"
    assert.deepStrictEqual(read(text), [
      {
        form: "paragraph",
        text: "## Teams\n\n![A team](team.png)\n\nA team has members.",
        under: ["## Teams"],
        lead: null
      },
      { form: "paragraph", text: "<a id=\"x\"></a>", under: ["## Teams"], lead: null },
      { form: "item", text: "- Ada", under: ["## Teams"], lead: "A team has members." }
    ])
  })

  it("are not headed by a short line where headings are marked", () => {
    const text = "# Options\n\nLists everything.\n\nDefault: `false`\n\nIt may be slow."
    assert.deepStrictEqual(read(text).map(({ text, under }) => [text, under]), [
      ["# Options\n\nLists everything.", ["# Options"]],
      ["Default: `false`", ["# Options"]],
      ["It may be slow.", ["# Options"]]
    ])
  })

  it("are the metadata before a text, as one", () => {
    const front = "title: Guide\ndescription:\n  Of birds.\nkeywords:\n  - food\n  - nests"
    assert.deepStrictEqual(read(`---\n${front}\n---\n\nIt eats fish.`).map(({ lead, text }) => [text, lead]), [
      [front, null],
      ["It eats fish.", null]
    ])
    assert.deepStrictEqual(read("---\n\nIt eats fish.\n\n---\n\nEnd.").map(({ text }) => text), [
      "It eats fish.",
      "End."
    ])
  })

  it("are headed by the headings of HTML", () => {
    const text = "<h1 align=\"center\">Guide</h1>\n\nIt is short.\n\n<h2>Food</h2>\n\nIt eats fish."
    assert.deepStrictEqual(read(text).map(({ text, under }) => [text, under.length]), [
      ["<h1 align=\"center\">Guide</h1>\n\nIt is short.", 1],
      ["<h2>Food</h2>\n\nIt eats fish.", 2]
    ])
  })

  it("are what a container begins with, which heads nothing after it", () => {
    const text =
      "Start:\n\n::: tip Read-only\n\nNobody writes.\n\n:::\n\nTo write:\n\n1. Ask.\n2. Wait.\n:::note\nLate.\n:::\nEnd."
    assert.deepStrictEqual(read(text).map(({ lead, text, under }) => [text, lead, under]), [
      ["Start:\n\n::: tip Read-only\n\nNobody writes.", null, []],
      ["To write:\n\n1. Ask.", null, []],
      ["2. Wait.", "To write:", []],
      [":::note\nLate.", null, []],
      ["End.", null, []]
    ])
  })

  it("are lists without marks, of which only the last line may be the heading of what follows", () => {
    const text = "Pump\n\nPrice: 89 EUR\n\nWeight: 3 kg\n\nMaintenance\n\nOil it every year."
    assert.deepStrictEqual(read(text), [
      { form: "paragraph", text: "Pump\n\nPrice: 89 EUR\n\nWeight: 3 kg", under: [], lead: null },
      { form: "paragraph", text: "Maintenance\n\nOil it every year.", under: ["Maintenance"], lead: null }
    ])
  })

  it("are not headed by a sentence in quotes, whatever closes them", () => {
    for (const said of ["„So ist es.“", "« C’est ainsi. »", "«Это так.»", "「そうです。」", "（就是这样。）"]) {
      const text = `Notes\n\nOne.\n\n${said}\n\nTwo.`
      assert.deepStrictEqual(read(text).at(-1), { form: "paragraph", text: "Two.", under: ["Notes"], lead: null }, said)
    }
  })

  it("are the items of Chinese and Japanese lists, whose marks need no space after them", () => {
    for (const marks of ["・・・", "①②③", "１．|２．|３．", "1、|2、|3、", "（一）|（二）|（三）"]) {
      const [one, two, three] = marks.includes("|") ? marks.split("|") : [...marks]
      const text = `次のとおりです：\n\n${one}水筒\n${two}帽子\n${three}タオル`
      assert.deepStrictEqual(
        read(text).slice(1),
        [`${two}帽子`, `${three}タオル`].map((text) => ({ form: "item", text, under: [], lead: "次のとおりです：" })),
        marks
      )
    }
    assert.deepStrictEqual(read("一、条件\n\n年满十八岁。").at(-1)?.under, ["一、条件"])
  })

  it("are the items of a list with blank lines between them, of which none is a heading", () => {
    const text = "These are read:\n\n- CCYY-MM-DD\n\n- hh:mm\n\nOther text stays as it is."
    assert.deepStrictEqual(read(text).map(({ form, text, under }) => [form, text, under]), [
      ["item", "These are read:\n\n- CCYY-MM-DD", []],
      ["item", "- hh:mm", []],
      ["paragraph", "Other text stays as it is.", []]
    ])
  })

  it("are split at the ends of sentences if they are long, and cover all words of the text", () => {
    const sentence = "A sentence of some length that says the same again. "
    const units = read(sentence.repeat(100))
    assert.isTrue(units.every(({ text }) => text.length <= 1_000 && text.endsWith("again.")))
    assert.strictEqual(units.map(({ text }) => text).join(" "), sentence.repeat(100).trim())
  })

  it("are split within lines if these are wrapped, and between lines of code", () => {
    const wrapped = "A sentence of some length that\nsays the same again. It says more\nthan once, as those others do. "
    assert.isTrue(read(wrapped.repeat(40)).every(({ text }) => /^(?:A|It) .*[.]$/su.test(text)))
    const code = `\`\`\`\n${"print('It is. Really.') # always\n".repeat(100)}\`\`\``
    assert.isTrue(read(code).every(({ text }) => /^(?:```|print).*(?:```|always)$/su.test(text)))
  })

  it("take linear time", () => {
    for (
      const piece of [
        "a",
        "é",
        "word ",
        ".",
        "|",
        "```\n",
        "# a\n\n",
        "- a\n",
        "a:\n\n",
        "|a|\n|-|\n",
        "\n ",
        "*",
        "-",
        ":",
        "?\"",
        "a\n\n",
        "<a",
        "<!--",
        "![a](",
        "<h1>",
        ":::a\n\n"
      ]
    ) {
      const text = piece.repeat(200_000 / piece.length)
      const began = performance.now()
      assert.isTrue(unitsOf(text).every(({ end, start }) => start < end && end - start <= 1_000), piece)
      assert.isBelow(performance.now() - began, 5_000, piece)
    }
  })
})
