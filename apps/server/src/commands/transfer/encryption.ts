/**
 * An encrypted file: a header, and chunks of AES-256-GCM under a key that scrypt makes of a passphrase and the header's
 * salt. A chunk's nonce is its number and whether it is the last one, so chunks that are exchanged, repeated or cut off
 * do not open, and the header is authenticated with each of them.
 */
import { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto"

/** Also identifies the parameters below. */
const MAGIC = Buffer.from("tributary encrypted 1\n")
const SALT_BYTES = 16
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16

/** 128 MiB, and some 0.3 s on one core of a server. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

export const HEADER_BYTES = MAGIC.length + SALT_BYTES

/** Whether a file starts like an encrypted one. */
export const isEncrypted = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

const keyOf = (passphrase: string, header: Buffer): Buffer =>
  scryptSync(passphrase.normalize("NFKC"), header.subarray(MAGIC.length), 32, SCRYPT)

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Chunks of one size, the last one of that or less. */
const chunksOf = async function*(bytes: AsyncIterable<Buffer>, size: number) {
  let held: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const part of bytes) {
    held = Buffer.concat([held, part])
    for (; held.length > size; held = held.subarray(size)) {
      yield { chunk: held.subarray(0, size), nonce: nonceOf(number++, false) }
    }
  }
  yield { chunk: held, nonce: nonceOf(number, true) }
}

export const encrypting = (passphrase: string) =>
  async function*(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const header = Buffer.concat([MAGIC, randomBytes(SALT_BYTES)])
    const key = keyOf(passphrase, header)
    yield header
    for await (const { chunk, nonce } of chunksOf(bytes, CHUNK_BYTES)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(header)
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    }
  }

const refused = (isFirst: boolean) =>
  new ImportRefused({
    message: isFirst
      ? "The passphrase is not the one of this file, or the file is damaged. Nothing was imported."
      : "The file is damaged or was cut off. Nothing was imported."
  })

/** `bytes` begin after the header. Throws `ImportRefused` at the first chunk that is not as it was written. */
export const decrypted = async function*(
  passphrase: string,
  header: Buffer,
  bytes: AsyncIterable<Buffer>
): AsyncGenerator<Buffer> {
  const key = keyOf(passphrase, header)
  let isFirst = true
  const opened = (chunk: Buffer, nonce: Buffer): Buffer => {
    if (chunk.length < TAG_BYTES) throw refused(isFirst)
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(header).setAuthTag(chunk.subarray(-TAG_BYTES))
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch {
      throw refused(isFirst)
    }
  }
  for await (const { chunk, nonce } of chunksOf(bytes, CHUNK_BYTES + TAG_BYTES)) {
    yield opened(chunk, nonce)
    isFirst = false
  }
}
