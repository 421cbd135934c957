/** Words that questions are made of, and others that mean nothing alone, which the usual lists of stop words leave out. */
const words = (text: string): ReadonlyArray<string> => text.split(" ")

export const QUESTION_WORDS = {
  german: words(
    "wer wem wen wessen wann warum wieso weshalb wozu woran womit wodurch wofür woher wohin worin worauf woraus wovon " +
      "worüber wobei wieviel wieviele viele vielen vieler gibt darf dürfen möchte lässt beim bitte dass ab seit etwa je " +
      "damit dafür davon dabei daran darin darauf daraus darüber dadurch denn wurde wurden worden wäre wären hätte hätten " +
      "konnte konnten müssen müsste sollen sollten"
  ),
  french: words(
    "comment pourquoi quand combien où lequel laquelle lesquels lesquelles peut peux puis faut doit dois fait faire a " +
      "elles quoi dont jusqu lorsqu lorsque puisque car donc ni être avoir peuvent pouvez pouvons doivent devez ça celui " +
      "celle ceux celles quelque quelques afin"
  ),
  italian: words("quando cosa quali posso può possono devo deve bisogna"),
  portuguese: words("onde porque porquê quais quanto quantos quanta quantas posso pode podem devo deve"),
  dutch: words("waar wanneer waarom waarmee waarvoor welke welk hoeveel mag"),
  swedish: words("vilket varifrån får"),
  danish: words("hvordan hvorfor hvem hvilke hvilken hvilket hvornår kan"),
  norwegian: words("hvilket får"),
  finnish: words("miten milloin kuinka paljonko montako voi voiko voinko saako"),
  russian: words("какая какие какое какого каких какую каким сколько почему откуда нужно"),
  japanese: words(
    "何 誰 何故 何時 何処 教え できる すると しない いくら いくつ どんな どうやって について によって として という これら それら " +
      "でしょう"
  ),
  chinese: words(
    "吗 嗎 呢 谁 誰 哪 哪个 哪個 哪些 哪里 哪裡 哪儿 什么 什麼 什么样 什么时候 怎么 怎麼 怎么样 怎样 怎樣 如何 为什么 為什麼 为何 何时 " +
      "多少 多少个 几个 是否 是不是 能不能 可不可以 请问"
  )
}
