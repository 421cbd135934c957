/** What the makers of a program write to each other and to their customers, and what they ask about it. */
import { issue, mail, meeting, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "changelog",
    "2026-03-05T12:00:00Z",
    "Changelog",
    `# 4.3.0 (5 March 2026)

- Added dark mode.
- Added export to PDF.
- Fixed a crash when a calendar has no owner.
- Removed the Flash uploader.

# 4.2.1 (11 February 2026)

- Fixed the login on Safari 17.

# 4.2.0 (2 February 2026)

- Added two-factor authentication.
- Changed the default session time from 8 hours to 2 hours.
- Fixed wrong totals in invoices with more than 50 lines.`
  ),
  page(
    "requirements",
    "2026-03-05T12:10:00Z",
    "System requirements",
    `Planora 4.3 needs PostgreSQL 15 or later and at least 4 GB of memory. Oracle is no longer supported since 4.0.

| Component | Smallest | Recommended |
| --- | --- | --- |
| Processor | 2 cores | 8 cores |
| Memory | 4 GB | 16 GB |
| Disk | 20 GB | 200 GB |`
  ),
  page(
    "plans",
    "2026-01-02T09:00:00Z",
    "Plans and prices",
    `| Plan | Price per user and month | Users | Support |
| --- | --- | --- | --- |
| Starter | 6 euros | up to 10 | by mail |
| Team | 11 euros | up to 100 | by mail and chat |
| Enterprise | 19 euros | unlimited | by telephone, around the clock |

Schools and charities pay half.`
  ),
  page(
    "pm-0219",
    "2026-02-20T15:00:00Z",
    "Post-mortem: outage of 19 February",
    `## Summary

The service was down for 47 minutes on 19 February. 312 customers were affected.

## Cause

A certificate of the load balancer expired because its renewal had been paused in November.

## Timeline

- 09:12 The monitor reports failing health checks.
- 09:20 Rosa is paged.
- 09:41 Rosa finds the expired certificate.
- 09:59 The new certificate is in place.

## Actions

1. Jonas adds an alert for certificates that expire within 21 days.
2. Rosa writes down how certificates are renewed.`
  ),
  page(
    "incidents-q1",
    "2026-03-08T18:00:00Z",
    "Incidents, first quarter",
    `| Date | What happened | Severity | Minutes |
| --- | --- | --- | --- |
| 8 January | Mail delivery delayed | 3 | 190 |
| 22 January | Database failover | 2 | 6 |
| 19 February | Certificate expired | 1 | 47 |
| 3 March | Search index corrupted | 2 | 85 |
| 7 March | Mail delivery delayed | 3 | 120 |`
  ),
  page(
    "release-process",
    "2025-10-01T10:00:00Z",
    "How we release",
    `Releases are made on Thursdays, never in the last week of a quarter.

1. Mei tags the commit.
2. The pipeline builds the packages, which takes about 25 minutes.
3. Whoever has support duty writes the announcement.
4. After one day without errors the release goes to all customers.

To roll back, set the previous tag in deploy.yaml and run \`make rollback\`.`
  ),
  page(
    "support-duty",
    "2026-03-02T09:00:00Z",
    "Support duty in March",
    `- 2 to 6 March: Jonas
- 9 to 13 March: Farida
- 16 to 20 March: Mei
- 23 to 27 March: Rosa

Calls outside of working hours go to the answering service Telema.`
  ),
  page(
    "security",
    "2025-12-10T10:00:00Z",
    "Security policy",
    `Passwords have at least 14 characters. Laptops are encrypted. Found a weakness? Write to security@planora.example.

Backups are kept for 35 days. They are stored in Frankfurt, and a copy in Dublin. Restoring is practised every quarter; the last time it took 52 minutes.`
  ),
  page(
    "offsite",
    "2026-02-26T10:00:00Z",
    "Offsite 2026",
    `We meet from 11 to 13 May in Ghent, in the hotel Harmony. Trains are booked by Farida; send her your discount card by 27 March. Partners are welcome and pay 90 euros a night.`
  ),
  issue(
    "SUP-2101",
    "2026-02-27T08:12:00Z",
    "Invoices show the wrong VAT rate",
    "closed",
    "Farida",
    "Customer: Brauerei Held. Invoices to Austria show 19 % instead of 20 %. Cause: the rate table was not updated. Fixed by hand on 2 March.",
    "Greta Held"
  ),
  issue(
    "SUP-2107",
    "2026-03-03T10:40:00Z",
    "Search finds nothing since this morning",
    "closed",
    "Rosa",
    "Customer: Nordlicht Reisen. Since this morning the search finds nothing. The index was rebuilt at 12:05, it works again.",
    "Olaf Petersen"
  ),
  issue(
    "SUP-2110",
    "2026-03-06T09:05:00Z",
    "Dark mode makes the calendar unreadable",
    "open",
    "Jonas",
    "Customer: Studio Maar. In dark mode the names of the months are black on black. Workaround: switch to high contrast in the settings.",
    "Ilse Maar"
  ),
  issue(
    "SUP-2111",
    "2026-03-09T13:30:00Z",
    "Export to PDF cuts off the last column",
    "open",
    "Mei",
    "Customer: Nordlicht Reisen. The last column of wide plans is cut off. Landscape format helps. Mei expects a fix in 4.3.1.",
    "Olaf Petersen"
  ),
  mail(
    "held-1",
    "2026-02-12T09:30:00Z",
    "greta@held.example",
    "sales@planora.example",
    "More users",
    "Hello, we would like to move from Starter to Team, for 24 people, from 1 April. Greta Held, Brauerei Held"
  ),
  mail(
    "held-2",
    "2026-03-06T11:00:00Z",
    "greta@held.example",
    "sales@planora.example",
    "Re: More users",
    "Hello, two things have changed: please make it 30 people, and we start on 1 May. Greta Held, Brauerei Held"
  ),
  mail(
    "audit",
    "2026-03-05T16:00:00Z",
    "pruefung@tuev.example",
    "rosa@planora.example",
    "Your audit",
    "Dear Ms Delgado,\n\nthe auditor, Mr. Weiland, visits you in two weeks, on Thursday at 10:00. Please have the list of all administrators ready.\n\nKind regards"
  ),
  mail(
    "datacentre",
    "2026-03-09T10:00:00Z",
    "noc@hosthaus.example",
    "ops@planora.example",
    "Maintenance window",
    "We replace a switch in Frankfurt in the night from Saturday to Sunday, between 2:00 and 4:00. Your servers lose their connection for at most ten minutes."
  ),
  mail(
    "newsletter",
    "2026-03-05T13:00:00Z",
    "news@planora.example",
    "everyone@planora.example",
    "Planora 4.3 is here",
    "Dark mode, export to PDF and fewer crashes. Version 4.2 gets security fixes until the end of 2026. Version 4.1 is no longer maintained."
  ),
  message("ops-1", "2026-03-07T06:10:00Z", "#ops", "Rosa", "Mail is stuck again, 8,000 messages in the queue."),
  message(
    "ops-2",
    "2026-03-07T06:25:00Z",
    "#ops",
    "Jonas",
    "A single customer sends a newsletter to 7,500 people. I throttled him."
  ),
  message("ops-3", "2026-03-07T08:10:00Z", "#ops", "Rosa", "Queue is empty."),
  message("dev-1", "2026-03-09T08:00:00Z", "#dev", "Mei", "4.3.1 comes this Thursday."),
  message(
    "dev-2",
    "2026-03-10T07:45:00Z",
    "#dev",
    "Mei",
    "We wait with 4.3.1 until next Thursday, the PDF fix is not tested."
  ),
  message("dev-3", "2026-03-04T14:00:00Z", "#dev", "Jonas", "Who broke the build?"),
  message("dev-4", "2026-03-04T14:02:00Z", "#dev", "Farida", "Sorry, that was me. I forgot to commit a file."),
  message(
    "team-1",
    "2026-03-09T09:00:00Z",
    "#team",
    "Farida",
    "I'm on holiday from Thursday, Jonas takes over support."
  ),
  message(
    "team-2",
    "2026-03-09T09:20:00Z",
    "#team",
    "Jonas",
    "The new coffee machine is in the kitchen on the second floor."
  ),
  message("team-3", "2026-03-06T15:00:00Z", "#team", "Rosa", "Welcome to Tomasz! He starts on 1 April as a designer."),
  message("team-4", "2026-03-06T15:30:00Z", "#team", "Mei", "38 people signed up for the webinar so far."),
  meeting(
    "webinar",
    "2026-03-18T14:00:00Z",
    "2026-03-18T15:00:00Z",
    "Webinar: what is new in 4.3",
    "online",
    "Mei shows dark mode and the export. Farida answers questions in the chat.",
    "Mei Tanaka",
    ["Mei", "Farida"]
  ),
  meeting(
    "review",
    "2026-03-11T09:00:00Z",
    "2026-03-11T10:30:00Z",
    "Quarterly review",
    "Room Ada",
    "Numbers of the first quarter. Please bring your laptops.",
    "Rosa Delgado",
    ["Mei", "Jonas", "Farida"]
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Who has support duty next week?", /Mei/, "support-duty"],
  ["Who takes over support while Farida is on holiday?", /Jonas/, "team-1"],
  ["Who broke the build?", /Farida|that was me/, "dev-4"],
  ["When does 4.3.1 come out?", /19 March 2026.*12 March 2026/s, "dev-2"],
  ["When does the auditor visit us?", /19 March/, "audit"],
  ["When was two-factor authentication added?", /2 February 2026/, "changelog"],
  ["Where are the backups stored?", /Frankfurt/, "security"],
  ["Where does the offsite take place?", /Ghent/, "offsite"],
  ["Where is the quarterly review?", /Room Ada/, "review"],
  ["How many customers were affected by the outage of 19 February?", /312/, "pm-0219"],
  ["How many incidents were there in March?", /^2\b(?=.*Search index)(?=.*Mail delivery)/s, "incidents-q1"],
  ["How many times was mail delivery delayed this year?", /^2\b/, "incidents-q1"],
  ["How many people does Brauerei Held want to use Planora with?", /^30 people.*24 people/s, "held-2"],
  ["How much does the Team plan cost?", /11 euros/, "plans"],
  ["How much memory is recommended?", /16 GB/, "requirements"],
  ["Is Oracle supported?", /^No\b/i, "requirements"],
  ["Do charities get a discount?", /pay half/, "plans"],
  ["Why did the certificate expire?", /paused/, "pm-0219"],
  ["How do we roll back a release?", /make rollback/, "release-process"],
  ["What was removed in 4.3.0?", /Flash uploader/, "changelog"],
  ["Which version fixes the cut off column in PDFs?", /4\.3\.1/, "SUP-2111"],
  ["How long was the service down on 19 February?", /47 minutes/, "pm-0219"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "How much did the offsite 2025 cost?",
  "When does Tomasz's contract end?",
  "Who is the auditor's boss?",
  "How many customers were affected by the failover on 22 January?",
  "Is MySQL supported?",
  "How much disk does version 3.0 need?",
  "When does the webinar about invoices take place?",
  "Where does Rosa live?"
]
