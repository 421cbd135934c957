/** The time to pull a folder of mails, compared with the IMAP library alone, which fetches and discards the same. */
import { imap } from "@tributary/sources/Imap"
import { Effect, Redacted, Stream } from "effect"
import { ImapFlow } from "imapflow"
import { print, printTable } from "../print.ts"
import { median } from "../statistics.ts"
import { startDovecot } from "../../../../packages/sources/test/support/dovecot.ts"
import { fillMailbox } from "./fillMailbox.ts"
import { makeMail } from "./mails.ts"

const MAILS = 10_000
const USER = "ada"
const FOLDER = "Archive"
/** One more round warms up. */
const ROUNDS = 12

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

interface Round {
  readonly bare: Cost
  readonly ours: Cost
}

/** In turns, each first equally often, so that other work on the machine affects both. */
const measured = async (port: number): Promise<ReadonlyArray<Round>> => {
  const rounds: Array<Round> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round % 2 === 0 ? await costOf(() => bareFetch(port)) : null
    const ours = await costOf(() => ourSync(port))
    rounds.push({ bare: first ?? await costOf(() => bareFetch(port)), ours })
  }
  return rounds.slice(1)
}

/** As `0.80 (the middle half of the rounds 0.75 to 0.84, all 0.52 to 0.93)`. */
const spread = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!.toFixed(2)
  return `${median(sorted).toFixed(2)} (the middle half of the rounds ${at(0.25)} to ${at(0.75)}, all ${at(0)} to ${
    at(1)
  })`
}

export const benchMailSpeed = async (): Promise<void> => {
  const dovecot = await startDovecot()
  try {
    const bytes = await fillMailbox(dovecot.folder, { user: USER, mailbox: FOLDER }, MAILS, makeMail)
    print(`${MAILS} mails of ${(bytes / MAILS / 1_024).toFixed(0)} KiB on the average`)
    const rounds = await measured(dovecot.port)
    const row = (name: keyof Round, words: string) => [
      words,
      ...(["seconds", "cpuSeconds"] as const).flatMap((cost) => {
        const values = rounds.map((round) => round[name][cost])
        return [median(values).toFixed(1), Math.min(...values).toFixed(1)]
      })
    ]
    printTable(
      ["mails", "s", "least", "CPU s", "least"],
      [row("bare", "fetched by the library"), row("ours", "pulled by the provider")]
    )
    const ratios = (cost: keyof Cost) => spread(rounds.map(({ bare, ours }) => bare[cost] / ours[cost]))
    print(`bare / ours, s: ${ratios("seconds")}`)
    print(`bare / ours, CPU s: ${ratios("cpuSeconds")}`)
  } finally {
    await dovecot.stop()
  }
}
