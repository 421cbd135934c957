/** radicale with one person (ada, secret), and requests to it beside those that are tested. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, type Running, start, started, temporaryFolder } from "./programs.ts"

const configuration = (folder: string, port: number) => `
[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/data
[logging]
level = error
`

export const startRadicale = async (): Promise<Running> => {
  const folder = temporaryFolder()
  const port = await freePort()
  writeFileSync(join(folder, "users"), "ada:secret\n")
  writeFileSync(join(folder, "config"), configuration(folder, port))
  return started(start("radicale", ["--config", join(folder, "config")]), port, folder)
}

export const request = async (port: number, method: string, path: string, body?: string): Promise<string> => {
  const headers = {
    authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
    "content-type": body?.startsWith("BEGIN") === true ? "text/calendar" : "application/xml"
  }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
  return answer.text()
}
