// The generators of clients read and print TypeScript through the programming interface of the older compiler, which
// version 7 does not have: each brings that compiler along, instead of taking ours as its peer.
const GENERATORS = new Set(["@hey-api/openapi-ts", "openapi-typescript"])

module.exports = {
  hooks: {
    readPackage(manifest) {
      if (!GENERATORS.has(manifest.name)) return manifest
      const { typescript: _typescript, ...peerDependencies } = manifest.peerDependencies ?? {}
      return { ...manifest, peerDependencies, dependencies: { ...manifest.dependencies, typescript: "5.9.3" } }
    }
  }
}
