/** A damaged file of a supported format. The message is for the sender. */
export class Damaged extends Error {
  override readonly name = "Damaged"
}
