/** Parses values by their type id, as `PgClient` of @effect/sql-pg does. */
import { parseJson } from "@tributary/core/model/parseJson"
import { PgTypes } from "@effect/sql-pg"

const { OID } = PgTypes

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), "hex"))

const MOMENT = /^(\d+)(-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?( BC)?$/

/** Written with an offset, whatever the session's time zone; JavaScript writes distant years with a sign. */
const moment = (text: string): Date => {
  const [, year, day, time, hours, minutes = ":00", before] = MOMENT.exec(text) ?? []
  if (year === undefined) throw new TypeError(`"${text}" is no moment: the session's DateStyle has to be ISO.`)
  const count = before === undefined ? Number(year) : 1 - Number(year)
  const digits = String(Math.abs(count)).padStart(6, "0")
  return new Date(`${count < 0 ? "-" : "+"}${digits}${day}T${time}${hours}${minutes}`)
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|[^,{}]+/g

const arrayOf = (parse: Parser): Parser => (text) =>
  [...text.matchAll(ELEMENT)].map(([element, quoted]) =>
    quoted === undefined ? element === "NULL" ? null : parse(element) : parse(quoted.replace(/\\(.)/g, "$1"))
  )

const SCALARS: ReadonlyArray<readonly [number, Parser]> = [
  [OID.bool, (text) => text === "t"],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.int8, BigInt],
  [OID.text, asText],
  [OID.varchar, asText],
  [OID.uuid, asText],
  [OID.bytea, bytes],
  [OID.timestamptz, moment],
  [OID.json, parseJson],
  [OID.jsonb, parseJson]
]

const PARSERS: ReadonlyMap<number, Parser> = new Map(
  SCALARS.flatMap(([oid, parse]) => [[oid, parse] as const, [PgTypes.arrayOidFor(oid)!, arrayOf(parse)] as const])
)

export const parserFor = (oid: number): Parser => PARSERS.get(oid) ?? asText
