/** Text for a terminal. */

/** Removes control characters except line breaks and tabs, because a document may contain them. */
export const plain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd")

export const onOneLine = (text: string): string => plain(text.replaceAll(/\s+/g, " ").trim())

/** Aligns the cells of rows, each on one line. */
export const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = rows.map((row) => row.map((cell) => plain(cell.replaceAll(/\s/g, " "))))
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]!.length))) ?? []
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n")
}

export const count = (amount: number): string => amount.toLocaleString("en")

/** `1 key`, `2 keys`. */
export const counted = (amount: number, noun: string): string => `${count(amount)} ${noun}${amount === 1 ? "" : "s"}`

interface Issued {
  readonly scopes: ReadonlyArray<string>
  readonly expires_at: Date | null
}

/** A new credential, whose secret is shown only here. */
export const issued = (secret: string, name: string, { expires_at, scopes }: Issued): string =>
  [
    secret,
    "",
    `Shown this once. ${name}, scopes ${scopes.join(", ")}${
      expires_at === null ? "" : `, until ${moment(expires_at)}`
    }.`
  ].join("\n")

/** To the second; null is a dash. */
export const moment = (date: Date | null): string => date === null ? "-" : `${date.toISOString().slice(0, 19)}Z`
