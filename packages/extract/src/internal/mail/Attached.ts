/** A file that is attached to a mail. */
export interface Attached {
  /** Empty if it has none. */
  readonly name: string
  /** In lower case, without parameters. */
  readonly type: string
  readonly bytes: () => Uint8Array<ArrayBuffer>
}
