/** Writes numbered files into subfolders. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

const IN_SUBFOLDER = 1_000

/** The files from one number to before another. */
export const fillFolder = async (
  folder: string,
  from: number,
  to: number,
  text: (number: number) => string
): Promise<void> => {
  for (let number = from; number < to; number++) {
    const part = join(folder, `part-${Math.floor(number / IN_SUBFOLDER)}`)
    if (number === from || number % IN_SUBFOLDER === 0) await mkdir(part, { recursive: true })
    await writeFile(join(part, `${number}.txt`), text(number))
  }
}
