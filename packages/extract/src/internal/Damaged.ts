/** A file of a known format that cannot be read. The message is a sentence for the one who sent it. */
export class Damaged extends Error {
  override readonly name = "Damaged"
}
