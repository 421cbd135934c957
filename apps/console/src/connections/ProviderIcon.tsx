import { Icon, type IconName } from "../ui/Icon.tsx"

const ICONS: Readonly<Record<string, IconName>> = {
  files: "folder",
  feed: "feed",
  imap: "mail",
  caldav: "calendar",
  git: "branch"
}

/** Providers that nobody has drawn an icon for have that of a connection. */
export const ProviderIcon = ({ provider }: { readonly provider: string }) => (
  <Icon name={ICONS[provider] ?? "connections"} />
)
