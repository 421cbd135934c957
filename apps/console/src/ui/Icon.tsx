const PATHS = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM14 4v3h6V4zM4 17v3h6v-3z",
  playground: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  connectors: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  connections: "M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5",
  connect: "M8 8 4 12l4 4M16 8l4 4-4 4M13.500 5l-3 14",
  questions:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .8-1 1.700M12 17h.01",
  usage: "M4 4v16h16M8 16l4-5 3 3 5-7",
  folder: "M3 6h6l2 2h10v11H3z",
  feed: "M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14",
  mail: "M3 6h18v12H3zM3 7l9 6 9-6",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  branch:
    "M7 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 7v10M7 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 11c0 3-6 2-10 5",
  knowledge: "M4 18V9M9 18V5M14 18v-7M19 18V8M3 21h18",
  jobs: "M12 7v5l3 2M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9z",
  events: "M3 12h4l3-8 4 16 3-8h4",
  keys: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-9M16 7l3 3M13.500 9.500l2 2",
  members:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.500 2.500-6 6-6s6 2.500 6 6M16 5a3 3 0 0 1 0 6M18 14.500c2 .7 3 2.700 3 5.500",
  audit: "M7 3h10v18l-2.500-1.500L12 21l-2.500-1.500L7 21zM10 8h4M10 12h4",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.500-7 8-7s8 3 8 7",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  plus: "M12 5v14M5 12h14"
}

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
