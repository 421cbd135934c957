import { useState } from "react"
import { setTheme, type Theme, theme } from "../theme.ts"
import { Tabs } from "../ui/Tabs.tsx"

const CHOICES: ReadonlyArray<readonly [Theme, string]> = [["system", "System"], ["light", "Light"], ["dark", "Dark"]]

export const ThemeSwitch = () => {
  const [chosen, choose] = useState(theme)
  return (
    <Tabs
      label="Colours"
      options={CHOICES}
      chosen={chosen}
      onChoose={(name) => {
        setTheme(name)
        choose(name)
      }}
    />
  )
}
