/** SQLite's primary result codes, by their names without the prefix. */
export const BUSY = 5
export const LOCKED = 6
export const NOMEM = 7
export const READONLY = 8
export const IOERR = 10
export const CORRUPT = 11
export const FULL = 13
export const CANTOPEN = 14
export const CONSTRAINT = 19
export const MISMATCH = 20
export const NOTADB = 26

/** The code of an error of the driver; undefined for any other error. */
export const resultCode = (error: unknown): number | undefined => {
  const { errcode } = error as { readonly errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}
