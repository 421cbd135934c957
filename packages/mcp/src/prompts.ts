/** Prompts that a person picks in their client. */
export const answerWithCitations = {
  name: "answer_with_citations",
  title: "Answer with citations",
  description: "Answers a question from the knowledge base alone, with its sources.",
  arguments: [{ name: "question", description: "The question, as a whole sentence.", required: true }]
}

export const citedAnswer = (question: string): string =>
  `Answer this question from the knowledge base alone:

${question}

1. Call the tool ask with the question. If answered is false, call search with two or three different wordings, and fetch the documents that look relevant.
2. State only what the documents say. After each statement put the marker of its citation, such as [1].
3. End with the list of sources: marker, title, url and date of each document that you cited.
4. If the documents do not answer the question, say so, and name what came closest. Do not fill the gap from general knowledge.`
