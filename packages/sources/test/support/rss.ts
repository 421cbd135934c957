/** Feeds of RSS. */
export const item = (id: string, text: string) =>
  `<item><guid isPermaLink="false">${id}</guid><title>${id} &amp; more</title><link>/posts/${id}</link>
  <description>&lt;p&gt;${text}&lt;/p&gt;</description><pubDate>Mon, 02 Mar 2026 10:00:00 +0100</pubDate></item>`

export const rss = (...items: ReadonlyArray<string>) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://example.org/</link>${
    items.join("")
  }</channel></rss>`
