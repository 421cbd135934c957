/** Takes away what a test has made in the Postgres of the tests, if there is one. */
import { Client } from "pg"
import { databaseUrl } from "../../../postgres/test/support/testServer.ts"

export const dropSchema = async (schema: string): Promise<void> => {
  if (databaseUrl === null) return
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  await client.end()
}
