/** A plot of lines over two logarithmic axes, as SVG. */
import type { Growth } from "./growth.ts"

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 420, 70, 170, 20, 50]
const COLORS = ["#0b6e4f", "#c84630", "#3a5fa8", "#8a5a00", "#7b3fa0", "#555555"]

const decades = (least: number, most: number): ReadonlyArray<number> => {
  const first = Math.floor(Math.log10(least))
  return Array.from({ length: Math.ceil(Math.log10(most)) - first + 1 }, (_, at) => 10 ** (first + at))
}

const scale = (marks: ReadonlyArray<number>, from: number, to: number) => (value: number): number => {
  const [least, most] = [Math.log10(marks[0]!), Math.log10(marks.at(-1)!)]
  return Math.round((from + (to - from) * (Math.log10(value) - least) / Math.max(1, most - least)) * 10) / 10
}

export const plot = (growths: ReadonlyArray<Growth>): string => {
  const points = growths.flatMap(({ points }) => points)
  const xs = decades(Math.min(...points.map(({ chunks }) => chunks)), Math.max(...points.map(({ chunks }) => chunks)))
  const ys = decades(Math.min(...points.map(({ cpu }) => cpu / 1e3)), Math.max(...points.map(({ cpu }) => cpu / 1e3)))
  const x = scale(xs, LEFT, WIDTH - RIGHT)
  const y = scale(ys, HEIGHT - BOTTOM, TOP)
  const lines = [
    ...xs.map((mark) =>
      `<text x="${x(mark)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${mark.toLocaleString("en")}</text>`
    ),
    ...ys.flatMap((mark) => [
      `<path d="M${LEFT} ${y(mark)}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      `<text x="${LEFT - 8}" y="${y(mark) + 4}" text-anchor="end">${mark} ms</text>`
    ]),
    ...growths.flatMap(({ name, points }, index) => {
      const color = COLORS[index % COLORS.length]
      const places = points.map(({ chunks, cpu }) => [x(chunks), y(cpu / 1e3)] as const)
      const last = places.at(-1)!
      return [
        `<polyline points="${
          places.map((place) => place.join(",")).join(" ")
        }" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...places.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3" fill="${color}"/>`),
        `<text x="${last[0] + 8}" y="${last[1] + 4}" fill="${color}">${name}</text>`
      ]
    }),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">chunks of 100 words</text>`
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Processor time per search as the collection grows</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${lines.join("\n")}
</svg>
`
}
