/** A mail server as operators run it, with folders that are filled behind its back. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const PROGRAM = "/usr/sbin/dovecot"

const { uid, username } = userInfo()

/** Who is not root keeps everything under one name. */
const people = uid === 0
  ? "mail_uid = nobody\nmail_gid = nogroup\n"
  : ["default_internal_user", "default_login_user", "default_internal_group", "mail_uid", "mail_gid"]
    .map((name) => `${name} = ${username}\n`).join("")

const configuration = (folder: string, port: number): string => `
${people}
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = /dev/null
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail
first_valid_uid = 1
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = home=${folder}
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

export class Dovecot {
  static readonly isThere = existsSync(PROGRAM)

  readonly port: number
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port
    this.#folder = folder
    this.#child = child
  }

  static async start(): Promise<Dovecot> {
    const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
    const port = await freePort()
    await mkdir(join(folder, "mail"))
    await chmod(folder, 0o755)
    await chmod(join(folder, "mail"), 0o777)
    await writeFile(join(folder, "dovecot.conf"), configuration(folder, port))
    const child = spawn(PROGRAM, ["-F", "-c", join(folder, "dovecot.conf")], { stdio: "ignore" })
    while (!await answers(port)) {
      if (child.exitCode !== null) throw new Error(`dovecot ended with ${child.exitCode}`)
      await pause(20)
    }
    return new Dovecot(port, folder, child)
  }

  /** Makes a folder of so many mails, and answers how many bytes they have. */
  async fill(name: string, count: number, mail: (number: number) => string): Promise<number> {
    const box = join(this.#folder, "mail", `.${name}`)
    for (const part of ["cur", "new", "tmp"]) await mkdir(join(box, part), { recursive: true })
    let bytes = 0
    for (let number = 0; number < count; number++) {
      const text = mail(number)
      bytes += text.length
      await writeFile(join(box, "cur", `17000${String(number).padStart(6, "0")}.bench:2,S`), text)
    }
    if (uid === 0) execFileSync("chown", ["-R", "nobody:nogroup", join(this.#folder, "mail")])
    return bytes
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM")
    await once(this.#child, "exit")
    await rm(this.#folder, { recursive: true, force: true })
  }
}
