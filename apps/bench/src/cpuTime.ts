/** Microseconds of processor time, user and system, of all threads of this process, including garbage collection. */
export const cpuTime = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}
