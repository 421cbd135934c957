/** A question to a server, with an API key of a workspace. */
import { createClient, NotFoundError } from "@tributary/client"

const client = createClient({ baseUrl: "https://knowledge.example.com", apiKey: "pk_live_..." })
try {
  const { citations, response } = await client.knowledge.ask({ query: "When is the office closed?" })
  console.log(response, citations.map(({ entity }) => entity.title))
} catch (error) {
  if (error instanceof NotFoundError) console.error(error.message)
  else throw error
}
