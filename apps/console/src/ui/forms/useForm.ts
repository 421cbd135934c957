/**
 * Every form that is submitted: its values, what is wrong with them, whether they are saved, and how saving failed.
 * Fields are checked at the first attempt to submit, and from then on as they change.
 */
import { createFormHook, revalidateLogic } from "@tanstack/react-form"
import { useWork } from "../feedback/useWork.ts"
import { Choices, fieldContext, formContext, LongText, Select, Text } from "./fields.tsx"

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { Choices, LongText, Select, Text },
  formComponents: {}
})

interface Options<Values> {
  readonly values: Values
  /** What is wrong with each field, as a sentence; `false` for nothing. */
  readonly check?: (values: Values) => { readonly [Name in keyof Values]?: string | false }
  readonly submit: (values: Values) => Promise<unknown>
}

export const useForm = <Values extends object>({ check, submit, values }: Options<Values>) => {
  const { error, run } = useWork()
  const form = useAppForm({
    defaultValues: values,
    validationLogic: revalidateLogic(),
    validators: { onDynamic: ({ value }) => ({ fields: check?.(value) ?? {} }) },
    onSubmit: ({ value }) => run(() => submit(value))
  })
  return Object.assign(form, { error })
}
