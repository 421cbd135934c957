/** The processor time of this thread so far, in milliseconds: other work of the machine does not lengthen it. */
export const threadMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}
