/** The bytes are no segment that can be read: something broke them, or another release wrote them. */
export class SegmentUnreadable extends Error {
  override readonly name = "SegmentUnreadable"
  readonly reason: "damaged" | "newer" | "older"
  /** Whether they came from a `SegmentSource`: what that is a copy of may be sound. */
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
