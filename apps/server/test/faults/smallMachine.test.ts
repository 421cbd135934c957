/** The quickstart as a newcomer follows it, on a machine or in a container of 512 MB. */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { faultIt } from "../../../../.ci/faultIt.ts"
import { pdf } from "../../../../packages/extract/test/support/pdf.ts"
import { zip } from "../../../../packages/extract/test/support/zip.ts"
import { temporaryFolder, tied } from "../../../../packages/sources/test/support/programs.ts"
import { api } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

const LIMIT = 512_000_000

/** Node's default heap for this much memory; other limits derive from Node's. */
const LIMITED = [
  "--max-old-space-size=256",
  "--max-semi-space-size=2",
  `--import=data:text/javascript,process.constrainedMemory=()=>${LIMIT}`
].join(" ")

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

/** The process and its descendants. */
const tree = (pid: number): ReadonlyArray<number> => {
  const children = Map.groupBy(
    readdirSync("/proc").map(Number).filter((id) => id > 0),
    (id) => Number(/\) \S (\d+)/.exec(read(id, "stat"))?.[1])
  )
  const all = [pid]
  for (const id of all) all.push(...children.get(id) ?? [])
  return all
}

/** Bytes that the system cannot reclaim, without file pages. */
const heldBytes = (pid: number): number =>
  tree(pid).flatMap((id) => [...read(id, "status").matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)])
    .reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1_024, 0)

const watched = (args: ReadonlyArray<string>) => {
  const settings = { TRIBUTARY_PORT: "0", TRIBUTARY_DATA_DIR: join(folder, "data"), NODE_OPTIONS: LIMITED }
  const child = spawn(...tied("TERM", process.execPath, args), {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: folder, ...settings },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let most = 0
  const timer = setInterval(() => most = Math.max(most, heldBytes(child.pid!)), 20)
  const ended = once(child, "close").finally(() => clearInterval(timer))
  return { child, ended, most: () => most }
}

const pages = (count: number): Buffer => {
  const line = (page: number, at: number) => `(Page ${page}, line ${at}: the turbine was inspected and approved.) Tj T*`
  const objects = Array.from({ length: count }, (_, page) => {
    const content = `BT /F1 10 Tf 12 TL 72 740 Td ${
      Array.from({ length: 50 }, (_, at) => line(page, at)).join("\n")
    } ET`
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${
        5 + 2 * page
      } 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
    ]
  })
  return pdf(
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${objects.map((_, page) => `${4 + 2 * page} 0 R`).join(" ")}] /Count ${count} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...objects.flat()
  )
}

const letter = (paragraphs: number): Buffer =>
  zip([
    {
      name: "[Content_Types].xml",
      content: Buffer.from(
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"
      )
    },
    {
      name: "_rels/.rels",
      content: Buffer.from(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>"
      )
    },
    {
      name: "word/document.xml",
      content: Buffer.from(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${
          "<w:p><w:r><w:t>The quartermaster agrees to the plan.</w:t></w:r></w:p>".repeat(paragraphs)
        }</w:body></w:document>`
      )
    }
  ])

const followQuickstart = async (url: string, key: string): Promise<void> => {
  const server = { url, key }
  const { connector_id } = await api<{ readonly connector_id: string }>(server, "POST", "/v1/custom-connectors", {
    name: "Handbook",
    source_name: "handbook"
  })
  const connector = `/v1/custom-connectors/${connector_id}`
  const text = "The office is closed from December 24 to January 1."
  await api(server, "POST", `${connector}/ingest/text`, { items: [{ title: "Holidays", text }] })
  const { response } = await api<{ readonly response: string }>(server, "POST", "/v1/knowledge/ask", {
    query: "When is the office closed?"
  })
  assert.include(response, text)
  for (
    const [name, bytes, word] of [["report.pdf", pages(200), "turbine"], [
      "a.docx",
      letter(2_000),
      "quartermaster"
    ]] as const
  ) {
    const form = new FormData()
    form.append("file", new File([new Uint8Array(bytes)], name))
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}${connector}/ingest/typed/upload`, { method: "POST", headers, body: form })
    assert.strictEqual(answer.status, 200, await answer.text())
    const { results } = await api<{ readonly results: ReadonlyArray<unknown> }>(
      server,
      "POST",
      "/v1/knowledge/search",
      {
        q: word
      }
    )
    assert.isNotEmpty(results, name)
  }
  const page = await fetch(`${url}/console/`)
  assert.include(await page.text(), "<script type=\"module\"")
}

describe.skipIf(process.platform !== "linux")("in 512 MB", { timeout: TIMEOUT }, () => {
  it("builds the console", async () => {
    const build = watched(["apps/console/build.ts", join(folder, "console")])
    build.child.stdout.resume()
    assert.deepStrictEqual(await build.ended, [0, null])
    assert.isBelow(build.most(), LIMIT)
  })

  faultIt("runs the whole quickstart", async () => {
    const start = watched([".ci/bootstrap.mjs", "--server", "apps/server/src/main.ts", "serve", "--demo"])
    let printed = ""
    const { promise: banner, resolve } = Promise.withResolvers<void>()
    start.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      if (printed.includes("Ask it yourself")) resolve()
    })
    await Promise.race([banner, start.ended])
    try {
      await followQuickstart(/listens on (\S+)/.exec(printed)![1]!, /pk_live_\w+/.exec(printed)![0])
    } finally {
      start.child.kill("SIGTERM")
      await start.ended
    }
    assert.isBelow(start.most(), LIMIT)
  })
})
