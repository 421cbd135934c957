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

const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`

/** A page whose letters from `A` on are these glyphs; `/X Do` draws the form. */
export const drawnPdf = (content: string, glyphs: string, form = ""): Buffer => {
  const text = `BT /F 20 Tf ${form} ET`
  return pdf(
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R
      /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>`,
    stream(`BT /F 20 Tf ${content} ET`),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica
      /Encoding << /Type /Encoding /Differences [65 ${glyphs}] >> >>`,
    `<< /Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F 5 0 R >> >>
      /Length ${text.length} >>\nstream\n${text}\nendstream`
  )
}

/** A page of one line, in a font that is only named: the file does not say what its codes mean. */
export const namedFontPdf = (encoding: string, ordering: string, codes: Buffer): Buffer =>
  pdf(
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    stream(`BT /F 20 Tf 20 200 Td <${codes.toString("hex")}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Named /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Named /FontDescriptor 7 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    `<< /Type /FontDescriptor /FontName /Named /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900
      /Descent -200 /CapHeight 700 /StemV 80 >>`
  )
