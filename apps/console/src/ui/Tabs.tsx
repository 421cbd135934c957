interface Props<Value extends string> {
  readonly label: string
  /** Values with their labels. */
  readonly options: ReadonlyArray<readonly [Value, string]>
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

/** Buttons of which one is pressed. */
export const Tabs = <Value extends string>({ chosen, label, onChoose, options }: Props<Value>) => (
  <div className="tabs" role="group" aria-label={label}>
    {options.map(([value, name]) => (
      <button
        key={value}
        type="button"
        aria-pressed={chosen === value}
        onClick={() => onChoose(value)}
      >
        {name}
      </button>
    ))}
  </div>
)
