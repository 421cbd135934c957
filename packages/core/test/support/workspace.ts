/** A few weeks of a small company: mails, messages, tickets, pages and meetings. */
import { issue, mail, meeting, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  mail(
    "m-launch-1",
    "2026-01-20T10:00:00Z",
    "Ada Novak",
    "team@orrery.example",
    "Launch date of the mobile app",
    "Hi all,\n\nthe launch of the mobile app is planned for 14 April 2026. Press releases go out a week before that.\n\nAda"
  ),
  mail(
    "m-launch-2",
    "2026-03-02T15:30:00Z",
    "Ada Novak",
    "team@orrery.example",
    "Re: Launch date of the mobile app",
    "Hi all,\n\nwe lost two weeks to the certificate trouble. The launch of the mobile app moves to 28 April 2026.\n\nAda"
  ),
  mail(
    "m-budget",
    "2026-02-11T08:15:00Z",
    "Margaret Chen",
    "Ada Novak",
    "Marketing budget for Berlin",
    "Ada, the marketing budget for Berlin is 40,000 euros this quarter. Please send me the invoices by Friday. Without a cost centre I cannot pay them."
  ),
  mail(
    "m-vacation",
    "2026-03-06T17:00:00Z",
    "Grace Okafor",
    "team@orrery.example",
    "Out of office",
    "I am on vacation from tomorrow until 15 March. Please ask Margaret Chen about invoices and Linus Berg about releases. My phone will be off."
  ),
  mail(
    "m-contract",
    "2026-02-25T11:00:00Z",
    "Margaret Chen",
    "Ada Novak",
    "Contract with Acme",
    "The contract with Acme ends on 30 June 2026. Either side may cancel it with three months' notice. Acme wants to renew it for two years at 1,200 euros a month."
  ),
  mail(
    "m-offer",
    "2026-03-09T09:20:00Z",
    "Yuki Tanaka",
    "Margaret Chen",
    "Offer from Northwind Hosting",
    "Northwind offers 24 servers for 3,600 euros a month. Their data centre is in Reykjavik. The offer is valid until the end of March."
  ),
  mail(
    "m-visit",
    "2026-03-09T13:00:00Z",
    "Sofia Marin",
    "Grace Okafor",
    "Visit of the auditors",
    "The auditors arrive next Thursday at 10:00. They need a room for six people and access to the ledger. Jonas will meet them at the front desk."
  ),
  mail(
    "m-newsletter",
    "2026-03-05T06:00:00Z",
    "Rust Weekly",
    "team@orrery.example",
    "This week in tooling",
    "Compile times fell again. A new formatter was released. Read about caches, queues and clocks in our long article."
  ),
  message(
    "c-deploy-1",
    "2026-03-09T14:00:00Z",
    "#releases",
    "Linus Berg",
    "Version 2.4.1 went out to production at 13:40. It fixes the login timeout."
  ),
  message("c-deploy-2", "2026-03-09T14:05:00Z", "#releases", "Ada Novak", "Great, thanks! When is 2.5.0 due?"),
  message(
    "c-deploy-3",
    "2026-03-09T14:07:00Z",
    "#releases",
    "Linus Berg",
    "We plan to ship 2.5.0 tomorrow, if the migration tests pass."
  ),
  message("c-archive-1", "2026-03-05T09:10:00Z", "#office", "Grace Okafor", "Who has the key to the archive?"),
  message("c-archive-2", "2026-03-05T09:12:00Z", "#office", "Jonas Weber", "Sofia Marin borrowed it on Monday."),
  message("c-archive-3", "2026-03-05T15:12:00Z", "#office", "Omar Haddad", "Yuki Tanaka borrowed the ladder."),
  message(
    "c-lunch",
    "2026-03-10T07:30:00Z",
    "#random",
    "Jonas Weber",
    "The canteen is closed today, there is soup in the kitchen on the second floor."
  ),
  message(
    "c-outage-1",
    "2026-03-03T10:32:00Z",
    "#incidents",
    "Linus Berg",
    "The payment service is down since 10:30. Customers see error E_CERT_EXPIRED."
  ),
  message(
    "c-outage-2",
    "2026-03-03T10:50:00Z",
    "#incidents",
    "Yuki Tanaka",
    "The cause was an expired certificate on pay-gw-02. I am renewing it now."
  ),
  message(
    "c-outage-3",
    "2026-03-03T12:05:00Z",
    "#incidents",
    "Yuki Tanaka",
    "The payment service is up again since noon. 312 payments failed in the meantime, all were retried."
  ),
  message(
    "c-hire-1",
    "2026-03-04T09:00:00Z",
    "#people",
    "Sofia Marin",
    "Priya Raman joins the platform team on 1 April. She comes from Northwind."
  ),
  message(
    "c-hire-2",
    "2026-03-04T09:10:00Z",
    "#people",
    "Sofia Marin",
    "The designer position is still open. We have seven applicants, interviews are on Thursdays."
  ),
  message(
    "c-office",
    "2026-02-27T16:00:00Z",
    "#office",
    "Jonas Weber",
    "Bikes go to the basement from Monday. The parking garage is not open to visitors any more."
  ),
  message("c-lead-1", "2026-01-12T09:00:00Z", "#platform", "Grace Okafor", "Omar Haddad leads the platform team."),
  message(
    "c-lead-2",
    "2026-02-16T09:00:00Z",
    "#platform",
    "Grace Okafor",
    "From today Yuki Tanaka leads the platform team, Omar Haddad moves to research."
  ),
  message(
    "c-keys",
    "2026-03-08T18:20:00Z",
    "#office",
    "Jonas Weber",
    "I found a bunch of keys with a green tag yesterday. They are at the front desk."
  ),
  message(
    "c-api",
    "2026-03-01T12:00:00Z",
    "#platform",
    "Omar Haddad",
    "The public API is frozen. The private API is not frozen, you may still change it."
  ),
  message(
    "c-es",
    "2026-03-02T10:00:00Z",
    "#iberia",
    "Lucía Gómez",
    "La reunión con el cliente de Sevilla es el 18 de marzo en la sala Goya."
  ),
  message(
    "c-de",
    "2026-03-02T11:00:00Z",
    "#dach",
    "Jürgen Groß",
    "Die Schlüssel für das Lager in München liegen bei Frau Özdemir."
  ),
  message("c-zh", "2026-03-02T12:00:00Z", "#上海", "王芳", "上海办公室的预算是三十万元。会议在星期五举行。"),
  issue(
    "PAY-77",
    "2026-03-03T11:00:00Z",
    "Renew certificates automatically",
    "open",
    "Yuki Tanaka",
    "Certificates are renewed by hand today. A job should renew each certificate 30 days before it expires. Blocked by PAY-71."
  ),
  issue(
    "PAY-71",
    "2026-02-10T11:00:00Z",
    "Store certificates in the vault",
    "closed",
    "Omar Haddad",
    "All certificates now live in the vault. Rotation needs no restart any more."
  ),
  issue(
    "APP-204",
    "2026-02-20T11:00:00Z",
    "Crash when the camera is opened",
    "open",
    "Priya Raman",
    "The app crashes on Android 15 when the camera is opened twice. It does not crash on iOS. Reported by 18 customers."
  ),
  issue(
    "APP-219",
    "2026-03-05T08:00:00Z",
    "Dark mode",
    "in progress",
    "Ada Novak",
    "Dark mode is requested by 54 customers. Contrast must reach a ratio of 4.5."
  ),
  page(
    "p-travel",
    "2025-11-03T09:00:00Z",
    "Travel policy",
    "# Travel policy\n\nFlights need the approval of a manager. Trains can be booked by anyone. Hotels may cost up to 150 euros a night. Receipts are handed in within 30 days.\n\n| City | Limit |\n| --- | --- |\n| Paris | 180 |\n| Oslo | 200 |"
  ),
  page(
    "p-security",
    "2025-12-01T09:00:00Z",
    "Security rules",
    "# Security rules\n\nPasswords must have at least twelve characters. Laptops lock after five minutes. A lost badge is reported to the front desk. Visitors must sign in and wear a badge.\n\n```sh\nchage --maxdays 365 \"$USER\"\n```"
  ),
  page(
    "p-office",
    "2025-10-15T09:00:00Z",
    "Berlin office",
    "# Berlin office\n\nThe Berlin office has three floors and 64 desks. The kitchen is on the second floor. The server room is behind the library. The address is Lindenallee 12."
  ),
  page(
    "p-onboarding",
    "2026-01-08T09:00:00Z",
    "Onboarding",
    "# Onboarding\n\nNew colleagues get a laptop on their first day. The buddy is chosen by the team lead. Access to the vault is granted after the security training, which takes 45 minutes."
  ),
  page(
    "p-orrery",
    "2025-09-01T09:00:00Z",
    "What Orrery does",
    "# What Orrery does\n\nOrrery is a service that shows where each delivery stands. It was founded in 2019 by Margaret Chen and Omar Haddad. It has customers in 14 countries."
  ),
  page(
    "p-backup",
    "2026-01-30T09:00:00Z",
    "Backups",
    "# Backups\n\nThe database is backed up every six hours. Backups are kept for 90 days in Frankfurt. Restoring one takes about forty minutes. Nobody outside the platform team can restore a backup."
  ),
  page(
    "p-release",
    "2026-02-05T09:00:00Z",
    "Release process",
    "# Release process\n\nA release is cut every second Tuesday. Two people must approve it. Hotfixes need one approval. The release manager this quarter is Linus Berg."
  ),
  meeting(
    "k-review",
    "2026-03-12T13:00:00Z",
    "2026-03-12T14:00:00Z",
    "Budget review",
    "Room Kepler",
    "We go through the spending of all teams."
  ),
  meeting(
    "k-standup",
    "2026-03-11T08:30:00Z",
    "2026-03-11T08:45:00Z",
    "Platform standup",
    "Room Tycho",
    "Short round of the platform team."
  ),
  meeting(
    "k-retro",
    "2026-03-06T14:00:00Z",
    "2026-03-06T15:00:00Z",
    "Retrospective",
    "Room Galileo",
    "The team liked the new review process. Builds were too slow. We will cache dependencies in the pipeline."
  ),
  meeting(
    "k-drill",
    "2026-03-20T07:00:00Z",
    "2026-03-20T08:00:00Z",
    "Fire drill",
    "Courtyard",
    "Everybody leaves the building by the stairs."
  )
]
