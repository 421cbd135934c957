/** Working copies with commits at given times. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "./programs.ts"

export const makeRepository = (path: string) => {
  mkdirSync(path, { recursive: true })
  const call = (...args: ReadonlyArray<string>) => run("git", args, { cwd: path })
  call("init", "--quiet", "--initial-branch=main")
  return {
    path,
    call,
    write: (file: string, text: string) => {
      mkdirSync(join(path, file, ".."), { recursive: true })
      writeFileSync(join(path, file), text)
    }
  }
}

export const commitAt = (repository: ReturnType<typeof makeRepository>, date: string, author = "Ada") => {
  repository.call("add", "--all")
  run("git", ["-c", `user.name=${author}`, "-c", "user.email=x@example.org", "commit", "--quiet", "--message", date], {
    cwd: repository.path,
    env: { PATH: process.env["PATH"], GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date }
  })
}
