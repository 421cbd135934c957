/** The columns of a model: the named fields are JSON as text, which not every driver parses. */
export type Columns<Model, Json extends keyof Model> =
  & Omit<Model, Json>
  & { readonly [Key in Json]: string | Extract<Model[Key], null> }
