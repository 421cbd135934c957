/** Two numbers in one byte if both are small; otherwise the rest of a number follows. */
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

const MAX_NIBBLE = 15

export const writePair = (writer: ByteWriter, first: number, second: number): void => {
  writer.byte(Math.min(first, MAX_NIBBLE) << 4 | Math.min(second, MAX_NIBBLE))
  if (first >= MAX_NIBBLE) writer.number(first - MAX_NIBBLE)
  if (second >= MAX_NIBBLE) writer.number(second - MAX_NIBBLE)
}

/** The first number of a pair whose byte was just read. */
export const firstOf = (pair: number, reader: ByteReader): number => wholeOf(pair >>> 4, reader)

/** The second number, after the first was read. */
export const secondOf = (pair: number, reader: ByteReader): number => wholeOf(pair & MAX_NIBBLE, reader)

const wholeOf = (half: number, reader: ByteReader): number => half < MAX_NIBBLE ? half : MAX_NIBBLE + reader.number()
