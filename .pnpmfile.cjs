// The generators of clients read and print TypeScript through the programming interface of the older compiler, which
// version 7 does not have: each brings that compiler along, instead of taking ours as its peer.
const GENERATORS = new Set(["@hey-api/openapi-ts", "openapi-typescript"])

// Of the inspector only the command line is used. These are for its pages, its terminal windows and its keyring.
const INSPECTOR = "@modelcontextprotocol/inspector"
const OTHER_FACES = ["@hono/node-server", "@modelcontextprotocol/server", "@napi-rs/keyring", "@vitejs/plugin-react",
  "ajv", "ink", "pino", "react", "vite"]

const without = (dependencies, names) =>
  Object.fromEntries(Object.entries(dependencies ?? {}).filter(([name]) => !names.includes(name)))

const built = (target) => target && target.replace("./src/", "./dist/").replace(/\.ts$/, ".js")

module.exports = {
  hooks: {
    /** A published package exports what its sources were built into. */
    beforePacking(manifest) {
      const exports = Object.entries(manifest.exports).map(([path, target]) => [path, built(target)])
      return { ...manifest, exports: Object.fromEntries(exports) }
    },
    readPackage(manifest) {
      if (manifest.name === INSPECTOR) {
        return { ...manifest, dependencies: without(manifest.dependencies, OTHER_FACES) }
      }
      if (!GENERATORS.has(manifest.name)) return manifest
      const peerDependencies = without(manifest.peerDependencies, ["typescript"])
      return { ...manifest, peerDependencies, dependencies: { ...manifest.dependencies, typescript: "5.9.3" } }
    }
  }
}
