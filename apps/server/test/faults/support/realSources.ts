/** Real sources of each provider, filled with numbered documents that contain a common word. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deliver, startDovecot, withMailbox } from "../../../../../packages/sources/test/support/dovecot.ts"
import { startNginx } from "../../../../../packages/sources/test/support/nginx.ts"
import { run, temporaryFolder } from "../../../../../packages/sources/test/support/programs.ts"
import { request, startRadicale } from "../../../../../packages/sources/test/support/radicale.ts"
import type { Environment } from "../../serverProcess.ts"
import { eventually } from "./nodes.ts"

/** External ids by change. */
interface Difference {
  readonly created: ReadonlyArray<string>
  readonly updated: ReadonlyArray<string>
  readonly deleted: ReadonlyArray<string>
}

export interface RealSource {
  /** Settings with which a server can reach it. */
  readonly settings: Environment
  /** Without the password. */
  readonly config: Readonly<Record<string, string | number>>
  readonly password: string | null
  readonly resource: string
  /** The existing documents. */
  ids(): ReadonlyArray<string>
  /** Adds numbered documents until there are `count` of them. */
  fill(count: number): Promise<void>
  /** Adds, changes and deletes documents of a filled source, as far as it supports this. */
  change(): Promise<Difference>
  /** Adds a document that contains the word. */
  add(word: string): Promise<void>
  /** Sets whether it refuses the password, if it needs one. */
  readonly refuse?: (refuses: boolean) => Promise<void>
  /** Adds a resource with one document, and removes it; only of sources whose resources change. */
  readonly more?: { readonly make: (name: string) => Promise<void>; readonly remove: (name: string) => Promise<void> }
  stop(): Promise<void>
}

interface SourceKind {
  readonly needs: ReadonlyArray<string>
  /** More documents than a sync pulls before its first checkpoint. */
  readonly beyondCheckpoint: number
  readonly start: () => Promise<RealSource>
}

/** A word in all documents. */
const SHARED = "quokka"

const PRIVATE = { TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "true" }

const textOf = (what: number | string): string => `${SHARED} ${what}`

/** Named texts, and how they are stored at the source. */
const namedTexts = (
  idOf: (name: string) => string,
  /** All texts, and the names of the changed ones. */
  publish: (texts: ReadonlyMap<string, string>, changed: ReadonlyArray<string>) => Promise<void>,
  deletes = true
): Pick<RealSource, "ids" | "fill" | "change" | "add"> => {
  const texts = new Map<string, string>()
  const put = (entries: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(entries)) texts.set(name, textOf(text))
    return publish(texts, Object.keys(entries))
  }
  return {
    ids: () => [...texts.keys()].map(idOf),
    fill: (count) => {
      const names = Array.from({ length: count }, (_, number) => `${number}`).filter((name) => !texts.has(name))
      return put(Object.fromEntries(names.map((name) => [name, name])))
    },
    change: async () => {
      if (deletes) texts.delete("1")
      await put({ "0": "changed", "added": "added" })
      if (deletes) await publish(texts, ["1"])
      return { created: [idOf("added")], updated: [idOf("0")], deleted: deletes ? [idOf("1")] : [] }
    },
    add: (word) => put({ [word]: word })
  }
}

const PASSWORD = "secret"

/** Empties a server's password file while it must refuse, and restores it. */
const emptied = (path: string) => {
  const before = readFileSync(path)
  return async (refuses: boolean) => writeFileSync(path, refuses ? "" : before)
}

const textFiles = (folder: string, resource: string, committed = () => {}) =>
  namedTexts((name) => `${resource}/${name}.txt`, async (texts, changed) => {
    for (const name of changed) {
      const path = join(folder, `${name}.txt`)
      const text = texts.get(name)
      if (text === undefined) rmSync(path)
      else writeFileSync(path, text)
    }
    committed()
  })

const startFiles = async (): Promise<RealSource> => {
  const folder = temporaryFolder()
  return {
    settings: { TRIBUTARY_FILE_ROOTS: folder },
    config: { path: folder },
    password: null,
    resource: "files",
    ...textFiles(folder, "files"),
    stop: async () => rmSync(folder, { recursive: true, force: true })
  }
}

const startGit = async (): Promise<RealSource> => {
  const nginx = await startNginx()
  const folder = join(nginx.folder, "git/handbook")
  mkdirSync(folder)
  run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: folder })
  const commit = () => {
    run("git", ["add", "--all"], { cwd: folder })
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    run("git", [...who, "commit", "--quiet", "--message", "one"], { cwd: folder })
  }
  return {
    settings: PRIVATE,
    config: { repository: `http://127.0.0.1:${nginx.port}/git-private/handbook/.git`, username: "ada" },
    password: PASSWORD,
    resource: "main",
    ...textFiles(folder, "main", commit),
    refuse: emptied(join(nginx.folder, "users")),
    stop: nginx.stop
  }
}

const startFeed = async (): Promise<RealSource> => {
  const nginx = await startNginx()
  const publish = async (texts: ReadonlyMap<string, string>) => {
    const items = [...texts].map(([id, text]) =>
      `<item><guid>${id}</guid><description>${text}</description><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>`
    )
    writeFileSync(join(nginx.folder, "www/private/feed.rss"), `<rss><channel>${items.join("")}</channel></rss>`)
  }
  return {
    settings: PRIVATE,
    config: { url: `http://127.0.0.1:${nginx.port}/private/feed.rss`, username: "ada" },
    password: PASSWORD,
    resource: "feed",
    refuse: emptied(join(nginx.folder, "users")),
    ...namedTexts((name) => `feed/${name}`, publish, false),
    stop: nginx.stop
  }
}

const startMail = async (): Promise<RealSource> => {
  const dovecot = await startDovecot()
  const mail = (what: number | string) =>
    `Subject: ${what}\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT\r\n\r\n${textOf(what)}\r\n`
  const uids: Array<number> = []
  let last = 0
  const arrived = (count: number): ReadonlyArray<number> => {
    const arrived = Array.from({ length: count }, () => ++last)
    uids.push(...arrived)
    return arrived
  }
  return {
    settings: PRIVATE,
    config: { host: "127.0.0.1", port: dovecot.port, security: "none", username: "ada" },
    password: PASSWORD,
    resource: "INBOX",
    refuse: async (refuses) => {
      writeFileSync(join(dovecot.folder, "denied"), refuses ? "ada:\n" : "")
      // The server polls its files.
      const isRefused = () => withMailbox(dovecot.port, "ada", async () => false).catch(() => true)
      await eventually("the server has seen it", async () => (await isRefused()) === refuses)
    },
    ids: () => uids.map((uid) => `INBOX/${uid}`),
    fill: async (count) => deliver(dovecot.folder, "ada", arrived(count - uids.length).map(mail)),
    // A mail never changes.
    change: () =>
      withMailbox(dovecot.port, "ada", async (client) => {
        await client.append("INBOX", mail("added"))
        await client.mailboxOpen("INBOX")
        await client.messageDelete("2", { uid: true })
        uids.splice(uids.indexOf(2), 1)
        return { created: arrived(1).map((uid) => `INBOX/${uid}`), updated: [], deleted: ["INBOX/2"] }
      }),
    add: async (word) => {
      arrived(1)
      deliver(dovecot.folder, "ada", [mail(word)])
    },
    more: {
      make: (name) =>
        withMailbox(dovecot.port, "ada", async (client) => {
          await client.mailboxCreate(name)
          await client.append(name, mail(name))
        }),
      remove: (name) => withMailbox(dovecot.port, "ada", async (client) => void await client.mailboxDelete(name))
    },
    stop: dovecot.stop
  }
}

const startCalendar = async (): Promise<RealSource> => {
  const radicale = await startRadicale()
  const askAbout = (method: string, path: string, body?: string) => request(radicale.port, method, `/ada/${path}`, body)
  const ask = (method: string, path: string, body?: string) => askAbout(method, `work/${path}`, body)
  const calendar = (...events: ReadonlyArray<readonly [string, string]>) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n${
      events.map(([uid, text]) =>
        `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20260302T100000Z\r\nSUMMARY:${text}\r\nEND:VEVENT\r\n`
      ).join("")
    }END:VCALENDAR\r\n`
  const publish = async (texts: ReadonlyMap<string, string>, changed: ReadonlyArray<string>) => {
    // Rewrites everything if that is less work.
    if (changed.length > 10) return void await ask("PUT", "", calendar(...texts))
    for (const name of changed) {
      const text = texts.get(name)
      if (text === undefined) await ask("DELETE", `${name}.ics`)
      else await ask("PUT", `${name}.ics`, calendar([name, text]))
    }
  }
  return {
    settings: PRIVATE,
    config: { url: `http://127.0.0.1:${radicale.port}/`, username: "ada" },
    password: PASSWORD,
    resource: "work",
    refuse: emptied(join(radicale.folder, "users")),
    ...namedTexts((name) => `work/${name}.ics`, publish),
    more: {
      make: async (name) => {
        await askAbout("MKCALENDAR", `${name}/`)
        await askAbout("PUT", `${name}/${name}.ics`, calendar([name, textOf(name)]))
      },
      remove: async (name) => void await askAbout("DELETE", `${name}/`)
    },
    stop: radicale.stop
  }
}

export const SOURCES: Readonly<Record<string, SourceKind>> = {
  files: { needs: [], beyondCheckpoint: 520, start: startFiles },
  feed: { needs: ["nginx", "fcgiwrap"], beyondCheckpoint: 520, start: startFeed },
  imap: { needs: ["dovecot"], beyondCheckpoint: 270, start: startMail },
  caldav: { needs: ["radicale"], beyondCheckpoint: 120, start: startCalendar },
  git: { needs: ["git", "nginx", "fcgiwrap"], beyondCheckpoint: 520, start: startGit }
}
