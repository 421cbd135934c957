/** What a test does to the Postgres of the tests behind the service's back, if there is one. */
import { Client } from "pg"
import { databaseUrl } from "../../../postgres/test/support/testServer.ts"

export const execute = async (statement: string): Promise<void> => {
  if (databaseUrl === null) return
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

export const dropSchema = (schema: string): Promise<void> => execute(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
