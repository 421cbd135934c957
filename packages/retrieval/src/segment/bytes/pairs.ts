/** Two numbers in one byte if both are small; otherwise the rest of a number follows. */
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

const MOST = 15

export const writePair = (writer: ByteWriter, first: number, second: number): void => {
  writer.byte(Math.min(first, MOST) << 4 | Math.min(second, MOST))
  if (first >= MOST) writer.number(first - MOST)
  if (second >= MOST) writer.number(second - MOST)
}

/** The first number of a pair whose byte was just read. */
export const firstOf = (pair: number, reader: ByteReader): number => wholeOf(pair >>> 4, reader)

/** The second number, after the first was read. */
export const secondOf = (pair: number, reader: ByteReader): number => wholeOf(pair & MOST, reader)

const wholeOf = (half: number, reader: ByteReader): number => half < MOST ? half : MOST + reader.number()
