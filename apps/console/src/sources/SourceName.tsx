import { useSourceNames } from "./useSourceNames.ts"

/** Where a document is from, by the name that people gave it. */
export const SourceName = ({ source }: { readonly source: string }) => (
  <bdi title={source}>{useSourceNames().get(source) ?? source}</bdi>
)
