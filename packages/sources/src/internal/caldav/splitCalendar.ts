/** The objects of a whole calendar file, each with the time zones that it names, by their ids. */

interface Block {
  readonly kind: string
  readonly text: string
}

const BLOCK = /^BEGIN:(VEVENT|VTODO|VTIMEZONE)[ \t]*\r?\n[^]*?^END:\1[ \t]*\r?$/gim

const valueOf = (name: string, text: string): string | undefined =>
  new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(.*)$`, "im").exec(text)?.[1]?.trim()

export const splitCalendar = (file: string): ReadonlyMap<string, string> | null => {
  if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(file)) return null
  const unfolded = file.replace(/\r?\n[ \t]/g, "")
  const blocks = Array.from(unfolded.matchAll(BLOCK), ([text, kind]): Block => ({ kind: kind!.toUpperCase(), text }))
  const zones = blocks.filter(({ kind }) => kind === "VTIMEZONE")
    .map(({ text }) => ({ text, id: valueOf("TZID", text) ?? "" }))
  const objects = new Map<string, Array<string>>()
  for (const { kind, text } of blocks) {
    const uid = kind === "VTIMEZONE" ? undefined : valueOf("UID", text)
    if (uid === undefined || uid === "") continue
    const known = objects.get(uid)
    if (known === undefined) objects.set(uid, [text])
    else known.push(text)
  }
  return new Map(Array.from(objects, ([uid, texts]) => {
    const named = zones.filter(({ id }) => id !== "" && texts.some((text) => text.includes(id)))
    const parts = ["BEGIN:VCALENDAR", "VERSION:2.0", ...named.map(({ text }) => text), ...texts, "END:VCALENDAR", ""]
    return [uid, parts.join("\r\n")]
  }))
}
