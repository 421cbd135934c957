/** The fields that a form has changed. Only they are sent, so that what somebody else changed meanwhile stays. */
export const differing = <Fields extends object>(now: Fields, before: NoInfer<Fields>): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)))
  ) as Partial<Fields>
