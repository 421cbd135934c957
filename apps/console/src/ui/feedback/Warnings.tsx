/** What an answer warns of, such as a filter that matches nothing. */
export const Warnings = ({ warnings = [] }: { readonly warnings?: ReadonlyArray<string> | undefined }) =>
  warnings.map((warning) => <p key={warning} className="note warn wrap-anywhere">{warning}</p>)
