/** The columns of a model: dates are milliseconds, booleans 0 or 1, and the named fields JSON. */
export type Columns<Model, Json extends keyof Model = never> = {
  readonly [Key in keyof Model]: Key extends Json ? string | Extract<Model[Key], null>
    : Date extends Model[Key] ? number | Exclude<Model[Key], Date>
    : boolean extends Model[Key] ? number
    : Model[Key]
}

export const date = (millis: number | null): Date | null => millis === null ? null : new Date(millis)
