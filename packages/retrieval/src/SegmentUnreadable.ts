/** The bytes are no segment that can be read: something broke them, or another release wrote them. */
export class SegmentUnreadable extends Error {
  override readonly name = "SegmentUnreadable"
  readonly reason: "damaged" | "newer" | "older"
  constructor(reason: "damaged" | "newer" | "older") {
    super(
      `The segment is ${
        reason === "damaged" ? "damaged" : `of ${reason === "newer" ? "a later" : "an earlier"} format`
      }`
    )
    this.reason = reason
  }
}
