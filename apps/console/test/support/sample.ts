/** A team's notes over some years, so that pictures of time have something to show. */
const DAY = 86_400_000

const TOPICS = [
  ["Release notes", "The release went out before 16:00. A release manager approved it."],
  ["Incident report", "The search was slow for twelve minutes. Whoever was on call named a lead."],
  ["Design review", "The team chose segments over rows, because they load in one read."],
  ["Customer call", "They rotate their API keys every quarter and want no downtime."],
  ["Planning", "Next quarter is about connectors and the console."]
] as const

/** Ever more of them towards the present, and a few ahead. */
export const sampleItems = (now: number) =>
  Array.from({ length: 240 }, (_, index) => {
    const [title, text] = TOPICS[index % TOPICS.length]!
    const back = Math.round(820 * (index / 240) ** 1.8) + (index * 7) % 11
    const timestamp = new Date(now + (index < 14 ? index * 9 : -back) * DAY)
    return {
      external_id: `note-${index}`,
      title: `${title} ${index + 1}`,
      text,
      timestamp,
      metadata: { team: index % 2 === 0 ? "platform" : "product" }
    }
  })
