/** The bytes are damaged, or of another version of the format. */
export class SegmentUnreadable extends Error {
  override readonly name = "SegmentUnreadable"
  readonly reason: "damaged" | "newer" | "older"
  /** Whether they came from a `SegmentSource`, whose original may be intact. */
  readonly isFetched: boolean
  constructor(reason: "damaged" | "newer" | "older", isFetched = false) {
    super(
      `The segment is ${
        reason === "damaged" ? "damaged" : `of ${reason === "newer" ? "a later" : "an earlier"} format`
      }`
    )
    this.reason = reason
    this.isFetched = isFetched
  }
}
