/** A ZIP archive of deflated parts, which may lie about their size. */
import { crc32, deflateRawSync } from "node:zlib"

interface ZipEntry {
  readonly name: string
  readonly content: Buffer
  readonly claimedSize?: number
}

const record = (signature: number, fields: ReadonlyArray<readonly [bytes: 2 | 4, value: number]>): Buffer => {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = buffer.writeUInt32LE(signature)
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

export const zip = (parts: ReadonlyArray<ZipEntry>): Buffer => {
  const files: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { claimedSize, content, name } of parts) {
    const packed = deflateRawSync(content)
    const shared = [[2, 20], [2, 0], [2, 8], [2, 0], [2, 0], [4, crc32(content)], [4, packed.length]] as const
    const sizes = [[4, claimedSize ?? content.length], [2, name.length], [2, 0]] as const
    const file = Buffer.concat([record(0x04034b50, [...shared, ...sizes]), Buffer.from(name), packed])
    const tail = [[2, 0], [2, 0], [2, 0], [4, 0], [4, offset]] as const
    directory.push(record(0x02014b50, [[2, 20], ...shared, ...sizes, ...tail]), Buffer.from(name))
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, parts.length],
    [2, parts.length],
    [4, listed.length],
    [4, offset],
    [2, 0]
  ])
  return Buffer.concat([...files, listed, end])
}
