import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { I18nProvider } from "react-aria/I18nProvider"
import { createRoot } from "react-dom/client"
import { queries } from "./api/queries.ts"
import { watchSession } from "./api/signedOut.ts"
import { router } from "./router.tsx"
import { applyTheme, theme } from "./theme.ts"
import { Toasts } from "./ui/feedback/Toasts.tsx"
import { isUploading } from "./uploads/UploadQueue.ts"

applyTheme(theme())
watchSession()
addEventListener("beforeunload", (event) => {
  if (isUploading()) event.preventDefault()
})

const root = document.getElementById("console")
if (root === null) throw new Error("the page has no place for the console")

createRoot(root).render(
  // English, from left to right, in every browser.
  <I18nProvider locale="en">
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </I18nProvider>
)
