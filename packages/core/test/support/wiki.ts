/** The wiki of those who build a booking system for ferries, and what they ask it. */
import { page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "services",
    "2026-01-12T09:00:00Z",
    "Service catalogue",
    `# Service catalogue

Every service listens on a port of its own and belongs to one team.

| Service | Port | Owner | Language |
| --- | ---: | --- | --- |
| booking-api | 7070 | Team Harbour | Kotlin |
| seat-map | 7071 | Team Deck | Rust |
| notifier | 7080 | Team Harbour | Go |
| ledger | 7090 | Team Purser | Kotlin |

New services are added to this page before they are deployed.`
  ),
  page(
    "setup",
    "2025-11-20T09:00:00Z",
    "Local set-up",
    `# Local set-up

Install Node 22 and Docker first. Then clone the repository and run these commands:

\`\`\`sh
make bootstrap   # install what is needed
make db-seed     # fill the database
make check       # run the tests
\`\`\`

Seeding takes about three minutes. Apple machines with an M1 need 16 GB of memory.`
  ),
  page(
    "on-call",
    "2026-03-02T09:00:00Z",
    "On-call",
    `# On-call

The primary answers within five minutes. An alert that nobody has acknowledged is escalated to the secondary after 15 minutes.

| Week | Primary | Secondary |
|------|---------|-----------|
| 10 | Ravi Menon | Elif Kaya |
| 11 | Elif Kaya | Hugo Lind |
| 12 | Hugo Lind | Ravi Menon |

Swaps are entered in the table by those who swap.`
  ),
  page(
    "database",
    "2026-01-30T09:00:00Z",
    "Database",
    `# Database

We run Postgres 17. The primary is in Rotterdam, the replica is in Gdansk. An alert fires when the replica lags by more than 30 seconds.

## Retention

| Table | Kept for |
| --- | --- |
| bookings | 10 years |
| sessions | 24 hours |
| audit_log | 7 years |`
  ),
  page(
    "runbook-seat-map",
    "2026-02-03T09:00:00Z",
    "Runbook: seat-map answers 503",
    `# Runbook: seat-map answers 503

1. Look at the dashboard "Seat map" for the number of open connections.
2. When it is above 400, restart the service:

   \`\`\`sh
   kubectl rollout restart deploy/seat-map
   \`\`\`

3. Tell #ops what you did.`
  ),
  page(
    "adr-14",
    "2025-12-10T09:00:00Z",
    "ADR 14: NATS carries events",
    `# ADR 14: NATS carries events

Status: accepted. Supersedes ADR 6.

We move from Kafka to NATS because operating a Kafka cluster took one person a day every week. NATS does not keep messages for longer than a day, which is enough for us.`
  ),
  page(
    "adr-6",
    "2024-05-06T09:00:00Z",
    "ADR 6: Kafka carries events",
    `# ADR 6: Kafka carries events

Status: superseded by ADR 14.

Kafka carries all events between services. Topics are kept for seven days.`
  ),
  page(
    "conventions",
    "2025-09-01T09:00:00Z",
    "Conventions",
    `# Conventions

- Branches are named after the ticket, such as KES-120.
- Every pull request has one reviewer of another team.
- Functions longer than 60 lines are split.
- Money is stored in cents.`
  ),
  page(
    "releases",
    "2026-02-20T09:00:00Z",
    "Release calendar",
    `# Release calendar

| Version | Freeze | Release | Manager |
| --- | --- | --- | --- |
| 5.2 | 2026-03-06 | 2026-03-13 | Elif Kaya |
| 5.3 | 2026-04-10 | 2026-04-17 | Oskar Blom |

During a freeze only fixes are merged.`
  ),
  page(
    "payments",
    "2026-01-05T09:00:00Z",
    "Payment providers",
    `# Payment providers

Adyen handles cards, Mollie handles iDEAL. Refunds take up to five working days. We do not store card numbers; Adyen gives us a token instead.`
  ),
  page(
    "postmortem",
    "2026-02-16T09:00:00Z",
    "Postmortem of 14 February 2026",
    `# Postmortem of 14 February 2026

For 47 minutes no bookings could be made. The outage affected 1,930 bookings. A migration held a lock on the table of sailings. Migrations now run with a lock timeout of two seconds.`
  ),
  page(
    "load-test",
    "2026-02-01T09:00:00Z",
    "Lasttest",
    `# Lasttest

Der Lasttest läuft jeden Mittwoch um 22 Uhr gegen die Testumgebung. Er simuliert 3.000 Buchungen pro Minute. Die Ergebnisse liegen im Ordner "Messungen".`
  ),
  page(
    "variables",
    "2026-02-11T09:00:00Z",
    "Environment variables",
    `# Environment variables

| Variable | Default | VectorSearch |
|---|---|---|
| \`KESTREL_CACHE_TTL\` | 300 | Seconds that a price stays in the cache. |
| \`KESTREL_CURRENCY\` | EUR | The currency that prices are shown in. |
| \`KESTREL_MAX_SEATS\` | 9 | How many seats one booking may have. |`
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Which port does the seat-map service use?", /7071/, "services"],
  ["Who owns the ledger?", /Team Purser/, "services"],
  ["Which language is the notifier written in?", /\bGo\b/, "services"],
  ["How do I restart seat-map?", /kubectl rollout restart/, "runbook-seat-map"],
  ["How long are sessions kept?", /24 hours/, "database"],
  ["Who is the secondary in week 12?", /Ravi Menon/, "on-call"],
  ["Why did we move away from Kafka?", /one person a day every week/, "adr-14"],
  ["Do we store card numbers?", /^No\. /, "payments"],
  ["How many bookings did the outage of 14 February affect?", /1,930 bookings/, "postmortem"],
  ["What is the default of KESTREL_CACHE_TTL?", /300/, "variables"],
  ["When is the freeze for 5.3?", /2026-04-10|10 April 2026/, "releases"],
  ["Wann läuft der Lasttest?", /Mittwoch um 22 Uhr/, "load-test"],
  ["Which command runs the tests?", /make check/, "setup"],
  ["After how many minutes is an alert escalated?", /15 minutes/, "on-call"],
  ["Where is the replica of the database?", /Gdansk/, "database"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "Which port does the search service use?",
  "How long are invoices kept?",
  "Who is the primary in week 30?",
  "How do I restart the ledger?",
  "When is the freeze for 6.0?",
  "What is the password of the production database?",
  "Do we support Windows?"
]
