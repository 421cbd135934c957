/** The color scheme: light, dark or the system's, kept in this browser. */
const KEY = "tributary.theme"

export type Theme = "system" | "light" | "dark"

const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark" || value === "system"

export const theme = (): Theme => {
  const kept = localStorage.getItem(KEY)
  return isTheme(kept) ? kept : "system"
}

export const applyTheme = (chosen: Theme): void => {
  if (chosen === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = chosen
}

export const setTheme = (chosen: Theme): void => {
  localStorage.setItem(KEY, chosen)
  applyTheme(chosen)
}
