/** UUIDv7 for ids that the store creates. */

export const uuid7 = (moment: Date): string => {
  const random = crypto.randomUUID()
  const millis = moment.getTime().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${random.slice(15)}`
}
