/** Pulling a folder of mails, beside the IMAP library alone, which fetches the same and throws it away. */
import { imap } from "@tributary/sources/Imap"
import { Effect, Redacted, Stream } from "effect"
import { ImapFlow } from "imapflow"
import { median, print, printTable } from "../print.ts"
import { startDovecot } from "../../../../packages/sources/test/support/dovecot.ts"
import { fillMailbox } from "./fillMailbox.ts"
import { makeMail } from "./mails.ts"

const MAILS = 10_000
const USER = "ada"
const FOLDER = "Archive"
const ROUNDS = 5

interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
}

const costOf = async (work: () => Promise<number>): Promise<Cost> => {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const mails = await work()
  if (mails !== MAILS) throw new Error(`${mails} mails came, not ${MAILS}`)
  const { system, user } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: (system + user) / 1_000_000 }
}

const bareFetch = async (port: number): Promise<number> => {
  const auth = { user: USER, pass: "secret" }
  const client = new ImapFlow({ host: "127.0.0.1", port, secure: false, doSTARTTLS: false, auth, logger: false })
  await client.connect()
  await client.mailboxOpen(FOLDER, { readOnly: true })
  let mails = 0
  const query = { uid: true, size: true, internalDate: true, source: true }
  for await (const { source } of client.fetch("1:*", query)) if (source !== undefined) mails++
  await client.logout()
  return mails
}

const provider = imap({ allowPrivateAddresses: ["127.0.0.1"] })

const ourSync = (port: number): Promise<number> => {
  const password = Redacted.make("secret")
  const config = { host: "127.0.0.1", port, security: "none", username: USER, password } as const
  return Effect.runPromise(
    provider.sync({ config, resource: FOLDER, cursor: null, since: null }).pipe(
      Stream.filter((step) => step._tag === "Upsert" && "payload" in step.item),
      Stream.runCount
    )
  )
}

/** The first round warms up. */
const measured = async (port: number) => {
  const rounds: Array<{ readonly bare: Cost; readonly ours: Cost }> = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await costOf(() => bareFetch(port)), ours: await costOf(() => ourSync(port)) })
  }
  return rounds.slice(1)
}

export const benchMailSpeed = async (): Promise<void> => {
  const dovecot = await startDovecot()
  try {
    const bytes = await fillMailbox(dovecot.folder, { user: USER, mailbox: FOLDER }, MAILS, makeMail)
    print(`${MAILS} mails of ${(bytes / MAILS / 1_024).toFixed(0)} KiB on the average`)
    const rounds = await measured(dovecot.port)
    const row = (name: "bare" | "ours", words: string) => [
      words,
      median(rounds.map((round) => round[name].seconds)).toFixed(1),
      median(rounds.map((round) => round[name].cpuSeconds)).toFixed(1)
    ]
    printTable(["mails", "s", "CPU s"], [row("bare", "fetched by the library"), row("ours", "pulled by the provider")])
    const ratios = rounds.map(({ bare, ours }) => bare.seconds / ours.seconds)
    print(`bare / ours: ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`)
  } finally {
    await dovecot.stop()
  }
}
