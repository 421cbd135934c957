/** What the build makes of files that are no program: their addresses. */
declare module "*.svg" {
  const address: string
  export default address
}
