/** Imports of assets resolve to their URLs. */
declare module "*.svg" {
  const address: string
  export default address
}
