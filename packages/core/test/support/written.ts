/** Items as people write them. */

export interface Written {
  readonly external_id: string
  readonly timestamp: Date
  readonly payload: { readonly kind: string; readonly [field: string]: string | ReadonlyArray<string> }
}

/** A Tuesday. Questions are asked on this morning. */
export const NOW = new Date("2026-03-10T09:00:00Z")

export const mail = (id: string, at: string, from: string, to: string, subject: string, body: string): Written => ({
  external_id: id,
  timestamp: new Date(at),
  payload: { kind: "email", from, to: [to], subject, body }
})

export const message = (id: string, at: string, channel: string, author: string, text: string): Written => ({
  external_id: id,
  timestamp: new Date(at),
  payload: { kind: "message", channel, author, text }
})

export const page = (id: string, at: string, title: string, content: string): Written => ({
  external_id: id,
  timestamp: new Date(at),
  payload: { kind: "page", title, content, content_type: "text/markdown" }
})

export const issue = (
  id: string,
  at: string,
  title: string,
  state: string,
  assignee: string,
  body: string,
  author = "Linus Berg"
): Written => ({
  external_id: id,
  timestamp: new Date(at),
  payload: { kind: "issue", key: id, title, state, assignee, author, body }
})

export const meeting = (
  id: string,
  start: string,
  end: string,
  title: string,
  location: string,
  description: string,
  organizer = "Grace Okafor",
  attendees: ReadonlyArray<string> = ["Ada Novak", "Linus Berg"]
): Written => ({
  external_id: id,
  timestamp: new Date(start),
  payload: { kind: "calendar", title, start, end, location, description, organizer, attendees }
})
