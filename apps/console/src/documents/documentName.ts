/** A title may be missing, or blank. */
export const documentName = (
  { external_id, title }: { readonly external_id: string; readonly title: string | null }
): string => title === null || title.trim() === "" ? external_id : title
