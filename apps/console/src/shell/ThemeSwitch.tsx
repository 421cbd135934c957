import { useState } from "react"
import { setTheme, type Theme, theme } from "../theme.ts"

const CHOICES: ReadonlyArray<readonly [Theme, string]> = [["system", "System"], ["light", "Light"], ["dark", "Dark"]]

export const ThemeSwitch = () => {
  const [chosen, choose] = useState(theme)
  return (
    <div className="tabs" role="group" aria-label="Colours">
      {CHOICES.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={chosen === name}
          onClick={() => {
            setTheme(name)
            choose(name)
          }}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
