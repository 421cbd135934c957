/** An observatory that is run by a club: its handbook, its messages, mails, tickets and dates, and what is asked about them. */
import { issue, mail, meeting, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "h-telescopes",
    "2025-10-04T09:00:00Z",
    "Instruments",
    `# Instruments

The club owns four telescopes. Members may use them after an introduction.

| Telescope | Aperture | Mount | Kept in |
| :-- | --: | :-- | :-- |
| Newton | 254 mm | EQ6 | main dome |
| Refractor | 102 mm | AZ4 | cupboard 3 |
| Dobson | 406 mm | – | shed |
| Solar scope | 60 mm | AZ4 | cupboard 3 |

## Cameras

The cooled camera must not be used below minus ten degrees. The planetary camera has no such limit.`
  ),
  page(
    "h-dome",
    "2025-12-18T09:00:00Z",
    "Opening the dome",
    `# Opening the dome

1. Switch on the heating of the rail.
2. Wait for ten minutes.
3. Open the shutter from the control room:

\`\`\`sh
domectl open --slow
\`\`\`

Never open the dome when the wind is above 50 km/h. The log is kept in \`/var/log/dome\`.`
  ),
  page(
    "h-fees",
    "2026-01-02T09:00:00Z",
    "Membership",
    `# Membership

| Group | Fee per year |
| --- | --- |
| Adults | 84 euros |
| Students | 30 euros |
| Children | free of charge |

The fee is collected in February. Whoever leaves tells the treasurer in writing by the end of November.`
  ),
  page(
    "h-kuppel",
    "2025-11-11T09:00:00Z",
    "Schlüsselordnung",
    "# Schlüsselordnung\n\nDen Schlüssel zur Kuppel bekommt man im Gasthof Linde. Er wird bis Mittag zurückgebracht. Gäste bekommen keinen Schlüssel."
  ),
  message(
    "t-mirror-1",
    "2026-02-03T20:00:00Z",
    "#workshop",
    "Pavel",
    "The mirror of the Newton is dusty again, I took it out."
  ),
  message(
    "t-mirror-2",
    "2026-02-05T20:00:00Z",
    "#workshop",
    "Pavel",
    "It is clean and back in its cell. Collimation is still to be done."
  ),
  message(
    "t-cloud-1",
    "2026-03-02T17:00:00Z",
    "#nights",
    "Mireille",
    "Tonight's observation is cancelled because of clouds."
  ),
  message("t-cloud-2", "2026-03-04T17:10:00Z", "#nights", "Mireille", "Observation cancelled, it snows."),
  message("t-cloud-3", "2026-03-06T17:05:00Z", "#nights", "Mireille", "The sky is clear, we meet at 20:00!"),
  message("t-talk-1", "2026-02-20T10:00:00Z", "#talks", "Dana", "Our talk on comets is on 26 March in the town hall."),
  message(
    "t-talk-2",
    "2026-03-08T10:00:00Z",
    "#talks",
    "Dana",
    "Change of plan: the talk on comets is on 2 April in the library."
  ),
  message("t-help-1", "2026-03-07T09:00:00Z", "#general", "Dana", "Who can drive the Dobson to the school on Monday?"),
  message("t-help-2", "2026-03-07T09:30:00Z", "#general", "Pavel", "I'll do it, the van is free."),
  message(
    "t-fr",
    "2026-03-05T12:00:00Z",
    "#general",
    "Mireille",
    "La nuit des étoiles aura lieu le 8 août au bord du lac."
  ),
  mail(
    "m-insurance",
    "2026-02-18T09:00:00Z",
    "Boreas Insurance",
    "board@stars.example",
    "Your policy 88-1207",
    "Dear members of the board,\n\nthe policy covers damage by storm and hail, but not theft. The excess is 250 euros. It runs until 31 December 2027.\n\nBoreas Insurance"
  ),
  mail(
    "m-school",
    "2026-03-03T09:00:00Z",
    "Hilltop School",
    "board@stars.example",
    "Visit of class 5a",
    "Dear club,\n\nwe would like to come with 27 pupils and two teachers. Does Thursday next week suit you? We will bring our own torches.\n\nMr Okoye"
  ),
  mail(
    "m-donation",
    "2026-03-09T08:00:00Z",
    "Ruth Vance",
    "board@stars.example",
    "Donation",
    "I am leaving my eyepieces to the club, eleven in all. You can fetch them the day after tomorrow."
  ),
  issue(
    "OBS-12",
    "2026-02-10T09:00:00Z",
    "Rail heating trips the fuse",
    "open",
    "Pavel",
    "The heating trips the fuse when the dehumidifier runs, too."
  ),
  issue(
    "OBS-15",
    "2026-02-24T09:00:00Z",
    "Shutter motor is loud",
    "open",
    "Dana",
    "The bearing is worn. A new one costs 46 euros."
  ),
  issue(
    "OBS-9",
    "2026-01-15T09:00:00Z",
    "Control room has no clock",
    "closed",
    "Mireille",
    "A clock that shows sidereal time hangs there now."
  ),
  meeting(
    "k-board",
    "2026-03-16T18:00:00Z",
    "2026-03-16T20:00:00Z",
    "Board meeting",
    "Clubhouse",
    "Budget, roof, new members."
  ),
  meeting(
    "k-open",
    "2026-03-21T19:00:00Z",
    "2026-03-21T22:00:00Z",
    "Open night",
    "Main dome",
    "For visitors. The moon is three days old."
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["What is the aperture of the Dobson?", /406 mm/, "h-telescopes"],
  ["Where is the refractor kept?", /cupboard 3/, "h-telescopes"],
  ["How much do students pay a year?", /30 euros/, "h-fees"],
  ["How do I open the dome?", /domectl open --slow/, "h-dome"],
  ["How many telescopes does the club own?", /four telescopes/, "h-telescopes"],
  ["When is the talk on comets?", /2 April.*26 March/s, "t-talk-2"],
  ["Who drives the Dobson to the school?", /Pavel/, "t-help-2"],
  ["Does the insurance cover theft?", /^No\. /, "m-insurance"],
  ["Until when does the policy run?", /31 December 2027/, "m-insurance"],
  ["How many pupils want to come?", /27 pupils/, "m-school"],
  ["When can the eyepieces be fetched?", /11 March 2026/, "m-donation"],
  ["How often was the observation cancelled last week?", /^(?:2|two|twice)\b/i, "t-cloud-1"],
  ["How many tickets are open?", /^(?:2|two)\b/i, "OBS-12"],
  ["Wo bekommt man den Schlüssel zur Kuppel?", /Gasthof Linde/, "h-kuppel"],
  ["Quand aura lieu la nuit des étoiles ?", /8 août/, "t-fr"],
  ["May the dome be opened when the wind is above 50 km/h?", /Never open the dome/, "h-dome"],
  ["Where is the board meeting?", /Clubhouse/, "k-board"],
  ["What does a new bearing cost?", /46 euros/, "OBS-15"],
  ["Is the mirror of the Newton clean?", /clean and back in its cell/, "t-mirror-2"],
  ["When is the fee collected?", /February/, "h-fees"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "What is the aperture of the binoculars?",
  "How much do pensioners pay a year?",
  "When is the talk on black holes?",
  "Who is the treasurer?",
  "How many visitors came to the open night?",
  "How often was the observation cancelled in January?",
  "Does the insurance cover fire?",
  "Where is the radio telescope?",
  "Wann kommt der Elektriker?",
  "Which software controls the mount?"
]
