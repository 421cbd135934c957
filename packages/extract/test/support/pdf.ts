/** A PDF of these objects, the first of them its catalogue. */
export const pdf = (...objects: ReadonlyArray<string>): Buffer => {
  const offsets: Array<string> = []
  let file = "%PDF-1.7\n"
  for (const [at, object] of objects.entries()) {
    offsets.push(`${String(file.length).padStart(10, "0")} 00000 n \n`)
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1"
  )
}
