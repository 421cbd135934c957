/** The first bytes of a file, which may be an endless device. */
import { open } from "node:fs/promises"

export const firstBytes = async (path: string, count: number): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
