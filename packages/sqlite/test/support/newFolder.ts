/** Folders that go away when the tests of the file have ended. */
import { afterAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-sqlite-"))
  folders.push(folder)
  return folder
}

const folders: Array<string> = []

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
