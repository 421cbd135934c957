/** A text as it stands in its file. */
declare module "*.md?raw" {
  const text: string
  export default text
}
