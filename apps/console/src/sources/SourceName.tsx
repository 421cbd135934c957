import { useSourceNames } from "./useSourceNames.ts"

/** The source of a document by its display name. */
export const SourceName = ({ source }: { readonly source: string }) => (
  <bdi title={source}>{useSourceNames().get(source) ?? source}</bdi>
)
