/** A team's notes over some years, so that pages have something to show. */
const DAY = 86_400_000

const TOPICS = [
  ["Release notes", "release-notes", [
    "The release went out before 16:00, with all of its tests green. Exports of members and keys are new.",
    "The release was held back for a day: a migration took longer on a copy of the data than it may.",
    "The search over everything opens with one key. Two faults of the calendar sync are mended.",
    "The release brings webhooks with signed deliveries. Nothing has to be changed to take it."
  ]],
  ["Incident report", "incident", [
    "The search was slow for twelve minutes. Whoever was on call named a lead, and the node that was full was taken out.",
    "A certificate of the status page ended. It is renewed by itself now, and somebody hears of it ten days before.",
    "Imports stood still for half an hour, because a mailbox answered no more. What was missed came in afterwards.",
    "A backup was not restored in its monthly trial: the key was in the wrong safe. The guide says now which it is."
  ]],
  ["Design review", "design-review", [
    "The team chose segments over rows, because they load in one read. What speaks against it is written down below.",
    "Deletions at the source are held when they are many. A person says whether they are meant.",
    "Questions are kept for thirty days and no longer, so that gaps are seen and nobody is followed.",
    "The page of a document shows what is in sight only, so that ten megabytes scroll as one does."
  ]],
  ["Customer call", "customer-call", [
    "They rotate their API keys every quarter and want no downtime. The walk through the four steps was what they needed.",
    "They ask in Portuguese and store in English. Most of what they look for is found by its numbers and names.",
    "Their assistants read the handbook through one key each, and every key sees its own team's pages.",
    "They push forty thousand tickets a month. The nightly import takes eleven minutes of the hour that it may."
  ]],
  ["Planning", "planning", [
    "Next quarter is about connectors and the console. Two people look after each.",
    "The budget for the second region is granted. The work begins once the nodes have moved.",
    "What is not begun by the middle of the quarter goes back on the list.",
    "The team meets in Lisbon in May. Whoever is on call stays at home and gets the day back."
  ]]
] as const

const NAMED = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })

/** Ever more of them towards the present, and a few ahead. */
export const sampleItems = (now: number) =>
  Array.from({ length: 240 }, (_, index) => {
    const [title, id, texts] = TOPICS[index % TOPICS.length]!
    const back = Math.round(820 * (index / 240) ** 1.8) + (index * 7) % 11
    const timestamp = new Date(now + (index < 14 ? index * 9 : -back) * DAY)
    return {
      external_id: `${id}-${240 - index}`,
      title: `${title}, ${NAMED.format(timestamp)}`,
      text: texts[Math.floor(index / TOPICS.length) % texts.length]!,
      timestamp,
      metadata: { team: index % 2 === 0 ? "platform" : "product" }
    }
  })

export const QUESTIONS = [
  "Who approves a release?",
  "When is a backup taken?",
  "How often do customers rotate their API keys?"
] as const

/** What nothing in the notes answers. */
export const GAPS = ["How many days of leave do new parents get?", "What does a laptop for a contractor cost?"] as const

const PER_DAY = [
  ["POST /v1/knowledge/ask", 46, 240, 900],
  ["POST /v1/knowledge/search", 130, 14, 60],
  ["POST /v1/custom-connectors/:connector_id/ingest/text", 24, 32, 110],
  ["GET /v1/documents/:document_id", 70, 5, 18]
] as const

/** The last 90 days, each with its share of the use: less at weekends, and more from month to month. */
const daysUntil = (now: number) =>
  Array.from({ length: 90 }, (_, index) => {
    const day = new Date(now - (89 - index) * DAY)
    const share = (0.5 + index / 120) * (day.getUTCDay() % 6 === 0 ? 0.2 : 0.85 + (index * 7) % 10 / 30)
    return { index, day: day.toISOString().slice(0, 10), share }
  })

/** How much a team uses a workspace in 90 days, with a busy hour at times. */
export const sampleUsage = (now: number) => ({
  days: daysUntil(now).map(({ day, index, share }) => ({
    day,
    documents: 120 + Math.round(index * 1.4),
    storage: 11_000 + index * 150,
    operations: PER_DAY.map(([operation, requests, p50_ms, p95_ms], place) => ({
      operation,
      requests: Math.round(requests * share),
      refusals: index % 9 === 4 && place < 2 ? { rate_limited: 1 + index % 5 } : {},
      p50_ms: Math.round(p50_ms * (0.9 + index % 5 / 20)),
      p95_ms: Math.round(p95_ms * (0.9 + index % 7 / 20))
    }))
  }))
})

/** How much the programs of a team use one key in 30 days. */
export const sampleTraffic = (keyId: string, now: number) => ({
  traffic: daysUntil(now).slice(-30).map(({ day, share }) => ({
    key_id: keyId,
    day,
    requests: Math.round(170 * share)
  }))
})

/** Questions as they were asked, over the 28 days before; those of the list again and again. */
export const spread = <Question extends { readonly question_id: string; readonly asked_at: string }>(
  questions: ReadonlyArray<Question>,
  now: number
): ReadonlyArray<Question> =>
  Array.from({ length: 90 }, (_, index) => ({
    ...questions[(index * 5 + index % 3) % questions.length]!,
    question_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    asked_at: new Date(now - (index * 0.31 + index % 7 / 50) * DAY).toISOString()
  }))

/** The files of a handbook, by their names. */
export const handbookPages = (): ReadonlyArray<readonly [string, string]> => [
  ["deploys.md", "# Deploys\n\nDeploys run on weekdays before 16:00. A release manager approves each one."],
  ["on-call.md", "# On call\n\nWhoever is on call opens an incident and names a lead within ten minutes."],
  ["reviews.md", "# Reviews\n\nTwo people read every change. One of them did not write the code around it."],
  ["keys.md", "# Keys\n\nKeys are rotated every quarter: a new one first, and the old one revoked when it is quiet."],
  ["backups.md", "# Backups\n\nA backup is taken every night, and one is restored every month to see that it works."]
]
