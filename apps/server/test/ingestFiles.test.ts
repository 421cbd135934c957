/** `tributary ingest` of files whose text the service extracts, over HTTP and over the socket of a data directory. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { missing } from "../../../.ci/missing.ts"
import { commandHere } from "./commandHere.ts"
import { type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const PANDOC = "/usr/bin/pandoc"
const hasPandoc = existsSync(PANDOC)
if (!hasPandoc) missing("TOOLS", "pandoc")

/** One page with one line, without an object table, which readers tolerate. */
const pdfOf = (line: string): string => {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
  return [
    "%PDF-1.4",
    "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj",
    "2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj",
    "3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R" +
    "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>> endobj",
    `4 0 obj <</Length ${content.length}>> stream\n${content}\nendstream endobj`,
    "trailer <</Root 1 0 R>>",
    "%%EOF"
  ].join("\n")
}

/** Each with a unique word. */
const FILES: Readonly<Record<string, { readonly text: string; readonly word: string }>> = {
  "report.pdf": { text: pdfOf("The turbine was inspected."), word: "turbine" },
  "mail.eml": {
    text: "Subject: Anchors\r\nFrom: ada@example.org\r\n\r\nThe anchorage is closed.\r\n",
    word: "anchorage"
  },
  "team.ics": {
    text:
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n" +
      "DTSTART:20260302T110000Z\r\nSUMMARY:Regatta\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    word: "regatta"
  },
  "crew.csv": { text: "name,role\nGrace,helmsman\n", word: "helmsman" },
  "page.html": {
    text: "<title>Berths</title><meta name=\"author\" content=\"Ada Example\"><p>The harbourmaster assigns berths.</p>",
    word: "harbourmaster"
  }
}

const WAYS: Readonly<Record<string, (folder: string) => Environment>> = {
  "over HTTP": () => ({}),
  "over the socket of an embedded server": (folder) => ({
    TRIBUTARY_STORAGE: "embedded",
    TRIBUTARY_DATA_DIR: join(folder, "data")
  })
}

describe.each(Object.entries(WAYS))("ingest %s", (name, settings) => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-ingest-"))
  let server: RunningServer
  let way: Environment
  const search = async (word: string): Promise<ReadonlyArray<string>> => {
    const { stdout } = await commandHere(["search", word, "--json"], way)
    const { results } = JSON.parse(stdout) as { results: ReadonlyArray<{ external_id: string }> }
    return results.map(({ external_id }) => external_id)
  }
  beforeAll(async () => {
    server = await startServer([], settings(folder))
    way = name === "over HTTP" ? { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key } : settings(folder)
    mkdirSync(join(folder, "papers"))
    for (const [file, { text }] of Object.entries(FILES)) writeFileSync(join(folder, "papers", file), text)
    if (hasPandoc) {
      execFileSync(PANDOC, ["-f", "markdown", "-o", join(folder, "papers/letter.docx")], {
        input: "# Letter\n\nThe quartermaster agrees.\n"
      })
    }
  })
  afterAll(async () => {
    server.child.kill("SIGTERM")
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  })

  it("ingests every kind of file, and finds its words", async () => {
    const { code, stderr, stdout } = await commandHere(["ingest", join(folder, "papers"), "--json"], way)
    assert.strictEqual(stderr, "")
    assert.strictEqual(code, 0)
    const count = Object.keys(FILES).length + (hasPandoc ? 1 : 0)
    assert.deepInclude(JSON.parse(stdout), { sent: count, created: count, left_out: [] })
    const words = Object.entries(FILES).map(([file, { word }]) => [file, word] as const)
    for (const [file, word] of hasPandoc ? [...words, ["letter.docx", "quartermaster"] as const] : words) {
      assert.deepStrictEqual(await search(word), [join(folder, "papers", file)], file)
    }
    const again = await commandHere(["ingest", join(folder, "papers/report.pdf"), "--json"], way)
    assert.deepInclude(JSON.parse(again.stdout), { created: 0, unchanged: 1 })
  })

  it("ingests UTF-16 text with a byte order mark, windows-1252, and a page in its declared encoding", async () => {
    const papers = join(folder, "encoded")
    mkdirSync(papers)
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
    writeFileSync(join(papers, "notes.txt"), utf16("Der Hafenkapitän heißt Jürgen."))
    writeFileSync(join(papers, "notes.md"), utf16("# Ebbe\n\nDie Schlickbagger kommen.").swap16())
    writeFileSync(join(papers, "notes.csv"), utf16("name,rolle\nGrete,Schleusenwärterin\n"))
    writeFileSync(join(papers, "notes.json"), utf16("{\"ort\": \"Süderelbe\"}"))
    writeFileSync(join(papers, "page.html"), Buffer.from("<meta charset=iso-8859-1><p>Schöpfwerk", "latin1"))
    writeFileSync(join(papers, "western.txt"), Buffer.from("Die Böschung rutscht.", "latin1"))
    writeFileSync(join(papers, "unmarked.txt"), Buffer.from("\xc4\xe3\xba\xc3", "latin1"))
    writeFileSync(join(papers, "zero.txt"), "a\u0000b")
    const { stdout } = await commandHere(["ingest", papers, "--json"], way)
    assert.deepInclude(JSON.parse(stdout), {
      created: 6,
      left_out: [
        {
          path: join(papers, "unmarked.txt"),
          problem: "The file is not valid UTF-8, and its encoding is not known."
        },
        { path: join(papers, "zero.txt"), problem: "The file holds NUL characters, so it is no text." }
      ]
    })
    const words = [
      ["notes.txt", "Hafenkapitän"],
      ["notes.md", "Schlickbagger"],
      ["western.txt", "Böschung"],
      ["notes.csv", "Schleusenwärterin"],
      ["notes.json", "Süderelbe"],
      ["page.html", "Schöpfwerk"]
    ] as const
    for (const [file, word] of words) assert.deepStrictEqual(await search(word), [join(papers, file)], file)
  })

  it("reports the author of a page", async () => {
    const { stdout } = await commandHere(["ask", "Who wrote about the berths?", "--json"], way)
    // A question with one known word gets no certain answer: the passage is shown in `related`.
    assert.include(stdout, "Author: Ada Example")
  })

  it("lists files that are damaged, too large or unsupported, and ingests the others", async () => {
    const papers = join(folder, "more")
    mkdirSync(papers)
    writeFileSync(join(papers, "broken.pdf"), "%PDF-1.4 and nothing else")
    writeFileSync(join(papers, "deep.json"), `${"[".repeat(198)}${"]".repeat(198)}`)
    writeFileSync(join(papers, "fine.csv"), "name\nbosun\n")
    writeFileSync(join(papers, "fine.json"), `${"[".repeat(197)}${"]".repeat(197)}`)
    writeFileSync(join(papers, "huge.json"), "[1e400]")
    writeFileSync(join(papers, "ids.json"), "{\"id\": 9007199254740993}")
    writeFileSync(join(papers, "large.pdf"), "%PDF-1.4")
    truncateSync(join(papers, "large.pdf"), 33_554_433)
    const { code, stdout } = await commandHere(["ingest", papers, "--json"], way)
    assert.strictEqual(code, 1)
    const summary = JSON.parse(stdout) as {
      created: number
      left_out: ReadonlyArray<{ path: string; problem: string }>
    }
    assert.strictEqual(summary.created, 2)
    const problems = new Map(summary.left_out.map(({ path, problem }) => [path, problem]))
    assert.strictEqual(problems.get(join(papers, "large.pdf")), "it is larger than 32 MiB")
    assert.include(problems.get(join(papers, "broken.pdf")), "The file is damaged")
    assert.strictEqual(problems.get(join(papers, "deep.json")), "it is nested more than 197 levels deep")
    assert.strictEqual(problems.get(join(papers, "huge.json")), "it holds a number that is too large")
    assert.strictEqual(problems.get(join(papers, "ids.json")), "it holds an integer that would lose digits")
    assert.strictEqual(problems.size, 5)
  })
})
