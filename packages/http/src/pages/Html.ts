/** HTML pages without scripts and external resources. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createHash } from "node:crypto"

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** Prose with paragraphs separated by blank lines, and code in backquotes. */
export const prose = (text: string): string =>
  text.split("\n\n").map((paragraph) => `<p>${inline(paragraph)}</p>`).join("\n")

/** One line of such prose. */
export const inline = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:56rem;margin:3rem auto;padding:0 1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:.25rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
section{margin-top:3rem}
nav ul{list-style:none;padding-left:1rem}
`

const DIGEST = createHash("sha256").update(STYLE).digest("base64")

const HEADERS = {
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff"
}

/** The whole page around a body. */
export const page = (title: string, body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${body}
</html>
`,
    { contentType: "text/html; charset=utf-8", headers: HEADERS }
  )
