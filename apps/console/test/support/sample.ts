/** A team's notes over some years, so that pages have something to show. */
const DAY = 86_400_000

const TOPICS = [
  ["Release notes", "release-notes", "The release went out before 16:00, with all of its tests green."],
  ["Incident report", "incident", "The search was slow for twelve minutes. Whoever was on call named a lead."],
  ["Design review", "design-review", "The team chose segments over rows, because they load in one read."],
  ["Customer call", "customer-call", "They rotate their API keys every quarter and want no downtime."],
  ["Planning", "planning", "Next quarter is about connectors and the console."]
] as const

/** Ever more of them towards the present, and a few ahead. */
export const sampleItems = (now: number) =>
  Array.from({ length: 240 }, (_, index) => {
    const [title, id, text] = TOPICS[index % TOPICS.length]!
    const back = Math.round(820 * (index / 240) ** 1.8) + (index * 7) % 11
    const timestamp = new Date(now + (index < 14 ? index * 9 : -back) * DAY)
    return {
      external_id: `${id}-${240 - index}`,
      title: `${title} ${240 - index}`,
      text,
      timestamp,
      metadata: { team: index % 2 === 0 ? "platform" : "product" }
    }
  })

export const QUESTIONS = [
  "Who approves a release?",
  "Why did the team choose segments?",
  "How often do customers rotate their API keys?"
] as const

/** The files of a handbook, by their names. */
export const handbookPages = (): ReadonlyArray<readonly [string, string]> => [
  ["deploys.md", "# Deploys\n\nDeploys run on weekdays before 16:00. A release manager approves each one."],
  ["on-call.md", "# On call\n\nWhoever is on call opens an incident and names a lead within ten minutes."],
  ["reviews.md", "# Reviews\n\nTwo people read every change. One of them did not write the code around it."],
  ["keys.md", "# Keys\n\nKeys are rotated every quarter: a new one first, and the old one revoked when it is quiet."],
  ["backups.md", "# Backups\n\nA backup is taken every night, and one is restored every month to see that it works."]
]
