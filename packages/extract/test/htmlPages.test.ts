// Pages of a site: menus, sidebars and footers are the same on all of them, and are no content.
import { assert, describe, it } from "@effect/vitest"
import { htmlText } from "../src/internal/formats/htmlText.ts"

const textOf = (html: string) => htmlText(html).text

const CONTENT = "The valve closes in three seconds. ".repeat(10).trim()

const AROUND = `<header>Pumps Inc. <nav><ul><li><a>Home</a><li><a>Docs</a></ul></nav></header>`
const FOOTER = "<footer>Imprint</footer>"

describe("a page", () => {
  it.each([
    ["its menus", `<nav>Home</nav><div role="navigation"><div>Docs</div></div><p>${CONTENT}<nav>Next</nav>`],
    [
      "the menus of a manual",
      `<div class="navheader"><table><tr><td>Prev<td>Next</table></div><p>${CONTENT}</p>` +
      `<div class="navfooter our">Version 2</div><div class=nav-panel>Up</div>`
    ],
    ["its sidebars", `<aside>News</aside><p>${CONTENT}</p><div role=complementary><div>Ads</div></div>`],
    ["its footer", `<p>${CONTENT}</p><footer>Imprint</footer><div role=contentinfo>Imprint</div>`],
    ["what surrounds its main part", `${AROUND}<div>Sale!</div><main><p>${CONTENT}</main><p>More${FOOTER}`],
    ["what surrounds its main role", `${AROUND}<div role="main"><div>${CONTENT}</div></div>More${FOOTER}`],
    ["what surrounds its article", `${AROUND}<div>Sale!</div><article>${CONTENT}</article>${FOOTER}`],
    ["the menu of its main part", `<main><nav>Home</nav>${CONTENT}</main>`]
  ])("is read without %s", (_, html) => assert.strictEqual(textOf(html), CONTENT))

  it("has all of its articles", () =>
    assert.strictEqual(
      textOf(`<nav>Home</nav><article>${CONTENT}</article><p>between</p><article>two</article>`),
      `${CONTENT}\n\ntwo`
    ))

  it("keeps remarks and authors in its content", () =>
    assert.strictEqual(
      textOf(`<main>${CONTENT}<aside>Note: drain it.</aside><blockquote>Well.<footer>Ada</footer></blockquote></main>`),
      `${CONTENT}\n\nNote: drain it.\n\nWell.\n\nAda`
    ))

  it("has the first heading as its title, wherever that is", () =>
    assert.strictEqual(htmlText(`<header><h1>Valves</h1></header><main>${CONTENT}</main>`).title, "Valves"))

  it.each([
    ["is a menu", `<header>Pumps</header><nav>${CONTENT}</nav>`, `Pumps\n\n${CONTENT}`],
    ["is outside of its main part", `<main>Pumps</main><p>${CONTENT}`, `Pumps\n\n${CONTENT}`],
    ["is beside its articles", `<p>${CONTENT}</p><article>Teaser</article>`, `${CONTENT}\n\nTeaser`],
    ["is after a menu without an end", `<main><nav>Home<p>${CONTENT}</main>`, `Home\n\n${CONTENT}`],
    ["is in a table after one", `<table><tr><td><nav>Home<td>${CONTENT}</table>`, `Home\t${CONTENT}`],
    ["is in a sidebar alone", "<aside>Pumps</aside>", "Pumps"]
  ])("is never read without its content, if that %s", (_, html, text) => assert.strictEqual(textOf(html), text))

  it("is read in linear time", () => {
    const many = 30_000
    const started = process.cpuUsage()
    for (const tag of ["nav", "main", "div role=main"]) {
      htmlText(`<${tag}>x`.repeat(many))
      htmlText(`${`<${tag}>x`.repeat(many)}${`</${tag.split(" ", 1)[0]}>`.repeat(many)}`)
      htmlText(`<${tag}>x</${tag.split(" ", 1)[0]}>`.repeat(many))
    }
    assert.isBelow(process.cpuUsage(started).user, 8e6)
  })
})
