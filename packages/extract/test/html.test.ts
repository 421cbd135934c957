import { assert, describe, it } from "@effect/vitest"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { layer } from "@tributary/extract/Extract"
import { Effect, Schema } from "effect"
import { htmlText } from "../src/internal/formats/htmlText.ts"

const html = (content: string) =>
  Effect.flatMap(TextExtractor, (extractor) => extractor.fromMarkup(content, "text/html")).pipe(Effect.provide(layer))

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Release notes &ndash; Pump&nbsp;control</title>
<style>body > p { color: red }</style><script>if (1 < 2) document.write("<p>no</p>")</script></head>
<body><nav><ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li></ul></nav>
<h1>Version 2.4</h1>
<p>The valve <b>V-17</b> now closes in
   under 3&nbsp;seconds &amp; logs <i>why</i>.</p>
<table><tr><th>Valve</th><th>Time</th></tr><tr><td>V-17</td><td>2.8 s</td></tr></table>
<pre>
open  --valve 17
close --valve 17</pre>
<svg><title>icon</title></svg>
<template><p>Draft</p></template>
<!-- <p>hidden</p> -->
<p>Ask<br>Jo&euml;lle.</p></body></html>`

describe("HTML", () => {
  it.effect("is read as a browser shows it, without its menu", () =>
    Effect.gen(function*() {
      const { title, text } = yield* html(PAGE)
      assert.strictEqual(title, "Release notes – Pump control")
      assert.strictEqual(
        text,
        [
          "# Version 2.4",
          "The valve V-17 now closes in under 3 seconds & logs why.",
          "| Valve | Time |\n| --- | --- |\n| V-17 | 2.8 s |",
          "```\nopen  --valve 17\nclose --valve 17\n```",
          "icon",
          "Ask\nJoëlle."
        ].join("\n\n")
      )
    }))

  it.effect("takes its title from the first top heading without a title element", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html("<h1>Pump <em>control</em></h1><p>x</p><h1>Other</h1>")).title, "Pump control")
      assert.strictEqual((yield* html("<title> </title><h1>Named</h1>")).title, "Named")
      assert.strictEqual((yield* html("<svg><title>icon</title></svg><title>Page</title>")).title, "Page")
      assert.isNull((yield* html("<p>No heading</p>")).title)
      assert.strictEqual((yield* html("<h1>Never closed<p>and the text</p>")).title, "Never closed")
    }))

  it.effect("separates words of different blocks, and keeps words whole that markup only styles", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html("<div>one</div><div>two</div>")).text, "one\ntwo")
      assert.strictEqual((yield* html("un<b>break</b>able")).text, "unbreakable")
      assert.strictEqual((yield* html("one <b> two</b> three")).text, "one two three")
    }))

  it.effect.each<readonly [markup: string, text: string]>([
    ["Open<menu><li>New</menu>or<dir><li>Old</dir>", "Open\n\n- New\n\nor\n\n- Old"],
    ["one<center>two</center>three<search>four</search>five", "one\ntwo\nthree\nfour\nfive"],
    [
      "<hgroup>Name</hgroup>text<listing>a  b</listing>below the listing",
      "Name\ntext\n\n```\na  b\n```\n\nbelow the listing"
    ],
    [
      "<a href=1>Back</a><a href=2>Next</a>, <a href=3>file</a>s, un<a id=4></a><a id=5></a>cut",
      "Back Next, files, uncut"
    ],
    ["<input type=radio>Yes<input type=radio>No <button>Send</button><button>Stop</button>.", "Yes No Send Stop."],
    [
      "10<sup>6</sup> m<sup>2</sup> of sail<sup><a>1</a></sup>, 2<sup>nd</sup><p><sup>1</sup>Furled",
      "10 6 m2 of sail 1, 2nd\n\n1 Furled"
    ],
    ["<math><mi>x</mi><mfrac><mn>1</mn><mn>20</mn></mfrac></math>", "x 1 20"],
    ["Home<img src=a>Docs<svg></svg>Help", "Home Docs Help"]
  ])("separates words that a browser draws apart: %s", ([markup, text]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html(markup)).text, text)
    }))

  it.effect("has the author and date that it declares", () =>
    Effect.gen(function*() {
      const page = yield* html(`<head><meta charset=utf-8><meta name="Author" content="Ada L&ouml;we">
        <meta property="article:author" content="https://example.org/ada"><meta name=author content=Bo />
        <meta name="date" content="soon"><meta property="article:published_time" content="2025-03-04T09:30:00+01:00">
        </head><p>Text`)
      assert.deepStrictEqual(page, {
        title: null,
        text: "Text",
        authors: ["Ada Löwe", "Bo"],
        date: new Date("2025-03-04T08:30:00Z")
      })
    }))

  it.effect("omits hidden content, and nothing after it", () =>
    Effect.gen(function*() {
      const { text } = yield* html(
        `<div style="color: red; display : none">preheader<div>inner</div><script>"</div>"</script>
        </div>one <span hidden>x</span><p hidden>two<p style="display:block">three<br hidden>
        <h1 hidden>no title</h1><pre hidden>
        x</pre>four   five<img hidden><section HIDDEN/>x</section><a data-hidden>six</a>`
      )
      assert.strictEqual(
        text,
        "one\n\ntwo\n\nthree\n\nfour five\n\nsix"
      )
    }))

  it.effect.each<readonly [markup: string, text: string]>([
    ["a<noscript>Switch on scripts</noscript>b", "ab"],
    ["a <video>No films</video><audio>No sound</audio><canvas>No drawing</canvas> b", "a b"],
    ["4 <meter>40 %</meter><progress>half</progress><datalist><option>five</datalist>", "4"],
    ["a<dialog>Accept?</dialog><dialog open>Wait</dialog>b", "a\nWait\nb"],
    ["<math><semantics><mi>x</mi><annotation>\\bar x</annotation></semantics></math>", "x"],
    ["<ruby>東<rp>(<rt>とう</rt><rp>)</rp>京<rt>きょう</ruby>へ<rt>end", "東京へend"]
  ])("omits what a browser shows only in place of something else: %s", ([markup, text]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html(markup)).text, text)
    }))

  it.effect.each(["script", "title", "template", "svg", "canvas", "noscript"])(
    "as XHTML continues after an empty element: %s",
    (tag) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* html(`<?xml version="1.0"?><html><${tag} id="a"/><p>text</p></html>`)).text, "text")
      })
  )

  it.effect("as XHTML keeps the mark of an item after an empty anchor", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html("<ul><li><a id=\"a\"/>text</li></ul>")).text, "- text")
    }))

  it.effect("decodes entities once", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        (yield* html("&lt;b&gt; &amp;lt; &#x1F600; &notanentity; &#0;")).text,
        "<b> &lt; 😀 ¬anentity; �"
      )
    }))

  it.effect("shows no script, in any notation", () =>
    Effect.gen(function*() {
      for (
        const hostile of [
          "a<SCRIPT>alert(1)</SCRIPT >b",
          "a<script type='x'><!--<script>alert(1)</script>b",
          "a<style>@import 'x'</style>b",
          "a<template><template>x</template>y</template>b",
          "a<iframe><p>x</p></iframe>b"
        ]
      ) assert.strictEqual((yield* html(hostile)).text, "ab", hostile)
    }))

  it.effect("finds some text in broken markup", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* html("1 < 2 and 3 > 2")).text, "1 < 2 and 3 > 2")
      assert.strictEqual((yield* html("</p></div>left<")).text, "left<")
      assert.strictEqual((yield* html("<p>open <a href='never closed")).text, "open")
      assert.strictEqual((yield* html("</template></script>shown")).text, "shown")
      assert.strictEqual((yield* html("")).text, "")
    }))

  it("is read in linear time", () => {
    const deep = 300_000
    const started = process.cpuUsage()
    assert.strictEqual(htmlText("<div>".repeat(deep) + "core" + "</div>".repeat(deep)).text, "core")
    assert.strictEqual(htmlText("<b><i>".repeat(deep) + "core").text, "core")
    assert.strictEqual(htmlText("<title>a b</title>".repeat(deep)).title, "a b")
    assert.lengthOf(htmlText("<p>x".repeat(deep)).text, 3 * deep - 2)
    htmlText("<".repeat(deep) + "<!--".repeat(deep))
    htmlText("<p " + "a=1 ".repeat(deep) + ">")
    htmlText("&".repeat(deep) + "&#".repeat(deep) + "&#x1".repeat(deep))
    assert.isBelow(process.cpuUsage(started).user, 10e6)
  })

  it.effect.prop("never fails, for any text", [Schema.String, Schema.String], ([a, b]) =>
    Effect.gen(function*() {
      const { text } = yield* html(`<${a}>${b}</${a}><script>${a}`)
      assert.isString(text)
    }))
})
