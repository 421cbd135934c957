/** Writes mails in Outlook's own format. */
const number = (value: number, bytes = 4): Buffer => {
  const written = Buffer.alloc(bytes)
  written.writeUIntLE(value, 0, bytes)
  return written
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

/** A property: a number, an ASCII text, or bytes of the type that is given. */
export const property = (id: number, value: number | string | readonly [type: number, bytes: Buffer]): Buffer => {
  if (typeof value === "number") return Buffer.concat([number(3, 2), number(id, 2), number(value)])
  const [type, bytes] = typeof value === "string" ? [0x1f, Buffer.from(`${value}\0`, "utf16le")] : value
  return Buffer.concat([number(type, 2), number(id, 2), number(1), number(bytes.length), padded(bytes)])
}

/** One with a name in place of an id. */
export const namedProperty = (name: string, value: number): Buffer => {
  const written = Buffer.from(`${name}\0`, "utf16le")
  const [head, data] = [number(3, 2), number(value)]
  return Buffer.concat([
    head,
    number(0x8001, 2),
    Buffer.alloc(16),
    number(1),
    number(written.length),
    padded(written),
    data
  ])
}

const properties = (all: ReadonlyArray<Buffer>): Buffer => Buffer.concat([number(all.length), ...all])

const attribute = (level: number, id: number, value: Buffer): Buffer => {
  const checksum = value.reduce((sum, byte) => (sum + byte) & 0xffff, 0)
  return Buffer.concat([number(level, 1), number(id), number(value.length), value, number(checksum, 2)])
}

interface Attachment {
  readonly title: string
  readonly data?: Buffer
  readonly properties?: ReadonlyArray<Buffer>
}

interface OutlookMail {
  readonly codePage?: number
  /** As older programs write it. */
  readonly body?: Buffer
  readonly properties?: ReadonlyArray<Buffer>
  readonly attachments?: ReadonlyArray<Attachment>
}

export const tnef = ({ attachments = [], body, codePage = 1_252, properties: own = [] }: OutlookMail): Buffer =>
  Buffer.concat([
    number(0x223e9f78),
    number(1, 2),
    attribute(1, 0x00089006, number(0x10000)),
    attribute(1, 0x00069007, Buffer.concat([number(codePage), number(0)])),
    ...(body === undefined ? [] : [attribute(1, 0x0002800c, body)]),
    attribute(1, 0x00069003, properties(own)),
    ...attachments.flatMap(({ data, properties: own, title }) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      attribute(2, 0x00018010, Buffer.from(`${title}\0`, "latin1")),
      ...(data === undefined ? [] : [attribute(2, 0x0006800f, data)]),
      ...(own === undefined ? [] : [attribute(2, 0x00069005, properties(own))])
    ])
  ])
