/** The kit for text extractors, on ours. */
import { textExtractorContract } from "@tributary/contract/PartsContract"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Context, Effect, Layer } from "effect"
import { layer } from "../src/Extract.ts"
import { namedFontPdf } from "./support/pdf.ts"

const file = (name: string, contentType: string, text: string) => ({
  name,
  contentType,
  bytes: new TextEncoder().encode(text),
  contains: "spare key 🚣"
})

textExtractorContract("of many formats", Effect.map(Layer.build(layer), Context.get(TextExtractor)), [
  file("keys.md", "text/markdown", "# Keys\n\nThe spare key 🚣 is kept in locker 7."),
  file("keys.html", "text/html", "<h1>Keys</h1><p>The <b>spare</b> key 🚣 is kept in locker 7."),
  file(
    "keys.eml",
    "message/rfc822",
    "Subject: Keys\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nThe spare key 🚣"
  ),
  {
    name: "keys.pdf",
    contentType: "application/pdf",
    bytes: new Uint8Array(namedFontPdf("90ms-RKSJ-H", "Japan1", Buffer.from("93fa967b8cea", "hex"))),
    contains: "日本語"
  }
])
