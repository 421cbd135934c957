/** Reads a file inside a folder without following a link out of it. */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { isOpenAtPath } from "./isOpenAtPath.ts"

type FileRead =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly unreadable: string }
  /** It no longer exists, or is not a file of this folder. */
  | "absent"

/** Read one byte more than its size, to detect a file that is growing. */
const readAll = async (handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(size + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

const messageOf = (code: string | undefined): string =>
  code === "EACCES" || code === "EPERM" ? "The file may not be read." : `The file cannot be read (${code ?? "?"}).`

/** `path` is a real path. Never blocks on a pipe or device. */
export const readWithin = async (path: string): Promise<FileRead> => {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile() || !await isOpenAtPath(handle, path)) return "absent"
    const { size } = stats
    if (size > MAX_UPLOAD_BYTES) return { unreadable: `The file is larger than ${MAX_UPLOAD_BYTES} bytes.` }
    return { bytes: await readAll(handle, size) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR" ? "absent" : { unreadable: messageOf(code) }
  }
}
