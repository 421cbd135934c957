/** What a bundler makes of programs for the browser. */
import { build, type Rolldown } from "vite"

export const bundled = async (
  root: string,
  rolldownOptions: Rolldown.RolldownOptions
): Promise<ReadonlyArray<Rolldown.OutputChunk>> => {
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: true, modulePreload: false, target: "es2022", rolldownOptions }
  })
  return (built as Rolldown.RolldownOutput).output.filter((file) => file.type === "chunk")
}
