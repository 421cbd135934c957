/** Loads pages on demand, and the rest while the browser is idle, so that they open even when the server is down. */
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

/** Whether the person asked their browser to save data: then pages are not preloaded. */
const savesData = (): boolean =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/** One after another. A page that fails to load is loaded again on navigation. */
export const preloadPages = async (): Promise<void> => {
  if (savesData()) return
  for (const load of loaders) await load().catch(() => undefined)
}
