/**
 * Pages that are loaded when they are needed, or before that, while the browser is idle: a page that is here already
 * opens even when the server is away.
 */
import { lazyRouteComponent } from "@tanstack/react-router"
import { PageUnavailable } from "./PageUnavailable.ts"

const loaders: Array<() => Promise<unknown>> = []

type Load<Module> = () => Promise<Module>

export const page = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: Load<Module>,
  name: Name
) => {
  // The router would reload the whole page when this fails, into the browser's own error page.
  const loading: Load<Module> = () =>
    load().catch((cause: unknown) => {
      throw new PageUnavailable(cause)
    })
  loaders.push(load)
  return lazyRouteComponent(loading, name)
}

/** Not for those who pay by the byte. */
const savesData = (): boolean =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/** One after another; what fails now is asked for again when somebody goes there. */
export const preloadPages = async (): Promise<void> => {
  if (savesData()) return
  for (const load of loaders) await load().catch(() => undefined)
}
