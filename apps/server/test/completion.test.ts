/** The scripts of `tributary completion`, each read by its shell. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { missing } from "../../../.ci/missing.ts"
import { commands } from "../src/commands/definitions/commands.ts"
import { completionScript, type Shell, SHELLS } from "../src/cli/completionScript.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-completion-"))
  for (const shell of SHELLS) writeFileSync(join(folder, shell), completionScript(shell, commands))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const words = (line: string): ReadonlyArray<string> => line.split(" ")

/** As bash calls it on Tab: the words so far, and the place of the last one. */
const called = (line: string): string =>
  `COMP_WORDS=(${words(line).map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words(line).length - 1}; _tributary;`

const NEWLINES = "printf '%s\\n' \"${COMPREPLY[@]}\""

/** Script for each shell that prints its completions. */
const argumentsOf: Readonly<Record<Shell, (line: string) => ReadonlyArray<string>>> = {
  bash: (line) => ["--norc", "-c", `source ${join(folder, "bash")}; ${called(line)} ${NEWLINES}`],
  // Completion needs an interactive shell; here the shell prints the candidates instead.
  zsh: (line) => [
    "-f",
    "-c",
    [
      "compdef() { : }",
      "compadd() { shift; local word; for word in $@; do [[ $word == $PREFIX* ]] && print -- $word; done; true }",
      `source ${join(folder, "zsh")}`,
      `words=(${words(line).map((word) => `"${word}"`).join(" ")}); CURRENT=${words(line).length}`,
      "PREFIX=$words[CURRENT]",
      "_tributary"
    ].join("\n")
  ],
  fish: (line) => ["--no-config", "-c", `source ${join(folder, "fish")}; complete -C '${line}'`]
}

const offered = (shell: Shell, line: string): ReadonlyArray<string> =>
  execFileSync(shell, argumentsOf[shell](line), { encoding: "utf8", env: { ...process.env, HOME: folder } })
    .split("\n")
    .map((candidate) => candidate.split("\t")[0]!.trim())
    .filter((word) => word !== "")
    .sort()

for (const shell of SHELLS) {
  const isThere = spawnSync(shell, ["-c", "true"]).status === 0
  if (!isThere) missing("TOOLS", shell)

  describe.skipIf(!isThere)(`In ${shell}, tributary`, () => {
    it("completes commands", () => {
      const first = [...new Set(commands.map(({ name }) => name.split(" ")[0]!))].sort()
      assert.deepStrictEqual(offered(shell, "tributary "), first)
      assert.deepStrictEqual(offered(shell, "tributary se"), ["search", "serve"])
    })

    it("completes subcommands", () => {
      const second = commands.filter(({ name }) => name.startsWith("keys ")).map(({ name }) => name.split(" ")[1]!)
      assert.deepStrictEqual(offered(shell, "tributary keys "), second.sort())
      assert.deepStrictEqual(offered(shell, "tributary keys cr"), ["create"])
    })

    it("completes the options of the given command only", () => {
      const { options } = commands.find(({ name }) => name === "keys create")!
      const known = Object.keys(options).map((name) => `--${name}`)
      const found = offered(shell, "tributary keys create reader --").filter((option) => option !== "--help")
      assert.deepStrictEqual(found, known.sort())
      assert.deepStrictEqual(offered(shell, "tributary ingest notes --conn"), ["--connector"])
    })
  })
}
