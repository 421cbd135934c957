import { STATUS } from "@tributary/http/api/ErrorBody"
import * as Failure from "@tributary/core/model/Error"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { sectionsOf } from "../src/serve/Documentation.ts"
import { SETTINGS } from "../src/settings/Settings.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The rows of the table under a heading, each cell without its code marks. */
const tableUnder = (path: string, heading: string): ReadonlyArray<ReadonlyArray<string>> =>
  read(path).split(`## ${heading}\n`)[1]!.split("\n## ")[0]!
    .split("\n").filter((line) => line.startsWith("|")).slice(2)
    .map((line) => line.slice(1, -1).split(" | ").map((cell) => cell.trim().replaceAll("`", "")))

describe("docs/errors.md", () => {
  const documented = tableUnder("docs/errors.md", "Codes")

  it("has exactly the codes that the API answers, with their status", () => {
    assert.deepStrictEqual(
      documented.map(([status, code]) => `${code} ${status}`).sort(),
      Object.entries(STATUS).map(([code, status]) => `${code} ${status}`).sort()
    )
  })

  it("has every error of the services", () => {
    // Names in capitals have no code of their own: the API answers with another.
    const tags = Object.values(Failure)
      .flatMap((failure) =>
        "identifier" in failure && typeof failure.identifier === "string" ? [failure.identifier] : []
      )
      .filter((tag) => /^[a-z_]+$/.test(tag))
    assert.isAbove(tags.length, 8)
    const codes = new Set(documented.map(([, code]) => code))
    assert.deepStrictEqual(tags.filter((tag) => !codes.has(tag)), [])
    assert.include(read("docs/errors.md"), "frozen_field")
  })
})

describe("docs/settings.md", () => {
  it("has exactly the settings, with the same texts", () => {
    assert.deepStrictEqual(
      tableUnder("docs/settings.md", "All settings"),
      Object.values(SETTINGS).map(({ defaultText, description, variable }) => [variable, defaultText, description])
    )
  })

  it("names every secret that may be in a file", () => {
    const [, named = ""] = /It works for (.*?)\. A secret/.exec(read("docs/settings.md")) ?? []
    assert.deepStrictEqual(
      named.match(/(?:TRIBUTARY|OTEL)_\w+/g),
      Object.values(SETTINGS).flatMap(({ secret, variable }) => secret ? [variable] : [])
    )
  })
})

describe("docs/architecture.md", () => {
  it("has every package in its table", () => {
    const present = globSync("{packages,apps}/*/package.json", { cwd: root }).map(dirname)
    assert.deepStrictEqual(
      tableUnder("docs/architecture.md", "The packages").map(([path]) => path).sort(),
      present.sort()
    )
  })
})

describe("the documentation", () => {
  const pages = globSync(["README.md", "docs/**/*.md"], { cwd: root }).sort()

  it("has no dead links", () => {
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^https?:/.test(target))
        .map((target) => join(dirname(page), target))
        .filter((target) => globSync(target, { cwd: root }).length === 0)
        .map((target) => `${page} -> ${target}`)
    )
    assert.deepStrictEqual(dead, [])
  })

  const blocks = (language: string): ReadonlyArray<readonly [string, string]> =>
    globSync("packages/*/README.md", { cwd: root }).concat(pages).flatMap((page) =>
      [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))]
        .map(([, block]) => [page, block!] as const)
    )

  it("has only TypeScript that is compiled and run", () => {
    const examples = globSync("docs/examples/**/*.ts", { cwd: root, exclude: ["**/node_modules"] }).map(read)
    const shown = blocks("ts")
    assert.isAbove(shown.length, 8)
    const loose = shown.filter(([, block]) => !examples.some((example) => example.includes(block)))
    assert.deepStrictEqual(loose, [])
  })

  it("has only valid JSON, and no JavaScript or TypeScript under another name", () => {
    for (const [page, block] of blocks("json")) assert.doesNotThrow(() => JSON.parse(block), page)
    assert.deepStrictEqual(blocks("(?:typescript|tsx|js|javascript|mjs)"), [])
  })

  it("is complete in its index", () => {
    const index = read("docs/README.md")
    for (const page of pages) {
      if (page !== "README.md" && page !== "docs/README.md") assert.include(index, `(${page.slice("docs/".length)})`)
    }
  })
})

describe("sectionsOf", () => {
  it("splits at headings outside of code and names each section", () => {
    const page = "# Guide\n\nAbout.\n\n## One & two\n\n```sh\n## no heading\n```\n\n## Empty\n\n## Last\n\nEnd.\n"
    assert.deepStrictEqual(sectionsOf("docs/guide.md", page), [
      { external_id: "docs/guide.md", title: "Guide", text: "About." },
      { external_id: "docs/guide.md#one-two", title: "Guide: One & two", text: "```sh\n## no heading\n```" },
      { external_id: "docs/guide.md#last", title: "Guide: Last", text: "End." }
    ])
  })
})
