/** Files of what a list shows. */

export type Row = Readonly<Record<string, string | number | null>>

/** Escapes cells that a spreadsheet would run as a formula. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text)

const cell = (value: Row[string] | undefined): string => {
  const text = String(value ?? "")
  const safe = typeof value === "string" && isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe
}

/** As RFC 4180 has it; the columns are those of the first row. */
export const toCsv = (rows: ReadonlyArray<Row>): string => {
  const columns = Object.keys(rows[0] ?? {})
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((line) => `${line.map(cell).join(",")}\r\n`).join("")
}

export const download = (name: string, type: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
