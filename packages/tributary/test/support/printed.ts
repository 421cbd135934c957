/** What the programs of the guides print. */
import { vi } from "vitest"

/** The output of an example that runs in this process: a new one would load all packages again. */
export const printed = async (example: string, settings: Readonly<Record<string, string>> = {}): Promise<string> => {
  let output = ""
  const writing = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += String(text)
    return true
  })
  const logging = vi.spyOn(console, "log").mockImplementation((line) => void (output += `${line}\n`))
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  try {
    await import(/* @vite-ignore */ new URL(`../../../../docs/examples/${example}`, import.meta.url).href)
  } finally {
    writing.mockRestore()
    logging.mockRestore()
    vi.unstubAllEnvs()
  }
  return output
}
