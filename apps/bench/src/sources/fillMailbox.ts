/** Writes mails directly into the folder of a mailbox. */
import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"

/** `folder` is the server's. Returns the size of the mails in bytes. */
export const fillMailbox = async (
  folder: string,
  { mailbox, user }: { readonly user: string; readonly mailbox: string },
  count: number,
  mail: (number: number) => string
): Promise<number> => {
  const box = join(folder, "mail", user, "Maildir", `.${mailbox}`)
  for (const part of ["cur", "new", "tmp"]) await mkdir(join(box, part), { recursive: true })
  let bytes = 0
  for (let number = 0; number < count; number++) {
    const text = mail(number)
    bytes += text.length
    await writeFile(join(box, "cur", `17000${String(number).padStart(6, "0")}.bench:2,S`), text)
  }
  if (userInfo().uid === 0) execFileSync("chown", ["-R", "nobody:nogroup", join(folder, "mail")])
  return bytes
}
