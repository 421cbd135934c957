/** The length of what makes a listed document or event long. */

/** In characters. */
export const metadataLength = ({ metadata }: { readonly metadata: Readonly<Record<string, string>> }): number => {
  let length = 0
  for (const name in metadata) length += name.length + metadata[name]!.length
  return length
}
