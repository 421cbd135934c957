/** The kit of providers, on every provider of ours and a real source of each. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { providerContract, type ProviderSource } from "@tributary/contract/ProviderContract"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { files } from "@tributary/sources/Files"
import { git } from "@tributary/sources/Git"
import { imap } from "@tributary/sources/Imap"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { deliver, login, startDovecot, withMailbox } from "./support/dovecot.ts"
import { startNginx } from "./support/nginx.ts"
import { describeWith } from "./support/describeWith.ts"
import { run, type Running, temporaryFolder } from "./support/programs.ts"

/** A sync by git starts many processes, so that its kit takes as long as those of all others together. */
const isOfGit = extent(false, true)

const LOCAL = { allowPrivateAddresses: ["127.0.0.1"] }

/** One each, because their threads take longer to start than to read these sources. */
const feeds = feed(LOCAL)
const calendars = caldav(LOCAL)
const mailboxes = imap(LOCAL)

const numbers = (length: number, from = 0) => Array.from({ length }, (_, at) => at + from)

const freshFolder = Effect.acquireRelease(
  Effect.sync(temporaryFolder),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const writeAll = (folder: string, all: ReadonlyArray<number>) => {
  for (const number of all) writeFileSync(join(folder, `${number}.txt`), `text ${number}`)
}

const changeFiles = (folder: string) => {
  writeFileSync(join(folder, "0.txt"), "changed")
  writeFileSync(join(folder, "added.txt"), "added")
  rmSync(join(folder, "1.txt"))
}

const changed = (resource: string) => ({
  upserted: [`${resource}/0.txt`, `${resource}/added.txt`],
  gone: [`${resource}/1.txt`]
})

if (!isOfGit) {
  providerContract(
    "files",
    Effect.map(freshFolder, (folder): ProviderSource => {
      writeAll(folder, numbers(30))
      return {
        provider: files({ roots: [folder] }),
        config: { path: folder },
        resource: "files",
        change: Effect.sync(() => {
          changeFiles(folder)
          return changed("files")
        }),
        fill: Effect.sync(() => writeAll(folder, numbers(1_200, 30)))
      }
    })
  )
}

if (isOfGit) {
  describeWith(["git"], "in a folder", () => {
    providerContract(
      "git",
      Effect.map(freshFolder, (folder): ProviderSource => {
        const repository = join(folder, "r")
        const commit = () => {
          run("git", ["add", "--all"], { cwd: repository })
          const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
          run("git", [...who, "commit", "--quiet", "--message", "one"], { cwd: repository })
        }
        mkdirSync(repository)
        run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repository })
        writeAll(repository, numbers(30))
        commit()
        return {
          provider: git({ roots: [folder], cacheDirectory: join(folder, "cache") }),
          config: { repository },
          resource: "main",
          change: Effect.sync(() => {
            changeFiles(repository)
            commit()
            return changed("main")
          }),
          fill: Effect.sync(() => {
            writeAll(repository, numbers(1_200, 30))
            commit()
          })
        }
      })
    )
  })
}

if (!isOfGit) {
  describeWith(["nginx", "fcgiwrap"], "published by nginx", () => {
    let nginx: Running
    let made = 0
    beforeAll(async () => {
      nginx = await startNginx()
    })
    afterAll(() => nginx?.stop())

    /** A file at an address of its own. */
    const published = (name: string, spell: (texts: ReadonlyMap<string, string>) => string) => {
      const file = `${++made}-${name}`
      const texts = new Map(numbers(30).map((number) => [`${number}.txt`, `text ${number}`]))
      const publish = () => writeFileSync(join(nginx.folder, "www", file), spell(texts))
      publish()
      return { texts, publish, url: `http://127.0.0.1:${nginx.port}/${file}` }
    }

    const source = (
      { publish, texts, url }: ReturnType<typeof published>,
      rest: Pick<ProviderSource, "provider" | "resource">,
      remove: boolean
    ): ProviderSource => ({
      ...rest,
      config: { url },
      change: Effect.sync(() => {
        texts.set("0.txt", "changed").set("added.txt", "added")
        if (remove) texts.delete("1.txt")
        publish()
        const { gone, upserted } = changed(rest.resource)
        return { upserted, gone: remove ? gone : [] }
      }),
      fill: Effect.sync(() => {
        for (const number of numbers(1_200, 30)) texts.set(`${number}.txt`, `text ${number}`)
        publish()
      })
    })

    const item = ([id, text]: readonly [string, string]) =>
      `<item><guid>${id}</guid><description>${text}</description><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>`

    providerContract(
      "feed",
      Effect.sync(() =>
        source(
          published("feed.rss", (texts) => `<rss><channel>${[...texts].map(item).join("")}</channel></rss>`),
          { provider: feeds, resource: "feed" },
          false
        )
      )
    )

    const event = ([uid, text]: readonly [string, string]) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20260302T100000Z\r\nSUMMARY:${text}\r\nEND:VEVENT\r\n`

    providerContract(
      "caldav",
      Effect.sync(() =>
        source(
          published("team.ics", (texts) => `BEGIN:VCALENDAR\r\n${[...texts].map(event).join("")}END:VCALENDAR\r\n`),
          { provider: calendars, resource: "calendar" },
          true
        )
      )
    )
  })
}

if (!isOfGit) {
  describeWith(["dovecot"], "on dovecot", () => {
    let dovecot: Running
    let people = 0
    beforeAll(async () => {
      dovecot = await startDovecot()
    })
    afterAll(() => dovecot?.stop())

    const mail = (number: number) =>
      `Subject: ${number}\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT\r\n\r\ntext ${number}\r\n`

    providerContract(
      "imap",
      Effect.sync((): ProviderSource => {
        const username = `person${++people}`
        deliver(dovecot.folder, username, numbers(30).map(mail))
        return {
          provider: mailboxes,
          config: login(dovecot.port, username),
          resource: "INBOX",
          change: Effect.promise(() =>
            withMailbox(dovecot.port, username, async (client) => {
              await client.append("INBOX", mail(31))
              await client.mailboxOpen("INBOX")
              await client.messageDelete("2", { uid: true })
              return { upserted: ["INBOX/31"], gone: ["INBOX/2"] }
            })
          ),
          fill: Effect.sync(() => deliver(dovecot.folder, username, numbers(1_200, 30).map(mail)))
        }
      })
    )
  })
}
