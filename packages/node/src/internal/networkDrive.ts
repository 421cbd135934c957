/** File systems on other machines: their locks are not reliable, and shared memory does not work on them. */
import { statfsSync } from "node:fs"

/** By the number that Linux gives each type. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"]
])

/** The name of the network file system, or undefined for a local disk and where this cannot be known. */
export const networkDrive = (directory: string): string | undefined =>
  process.platform === "linux" ? nameOfType(statfsSync(directory).type) : undefined

export const nameOfType = (type: number): string | undefined => NETWORK.get(type >>> 0)
