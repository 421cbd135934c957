/** Words of which an answer may hold one where the question has another; one line for those that say the same. */
import { termOf } from "../text/words.ts"

const IRREGULAR = `
become became | begin began begun | break broke broken | bring brought | build built | buy bought | catch caught
choose chose chosen | come came | deal dealt | dig dug | draw drew drawn | drink drank drunk | drive drove driven
eat ate eaten | fall fell fallen | feed fed | fight fought | find found | fly flew flown | forbid forbade forbidden
forget forgot forgotten | freeze froze frozen | get got gotten | give gave given | go went gone | grow grew grown
hang hung | hear heard | hide hid hidden | hold held | keep kept | know knew known | lead led | lend lent | lose lost
make made | mean meant | meet met | pay paid | ride rode ridden | run ran | say said | see saw seen | seek sought
sell sold | send sent | shake shook shaken | sing sang sung | sink sank sunk | sleep slept | speak spoke spoken
spend spent | steal stole stolen | stick stuck | swim swam swum | take took taken | teach taught | tell told
tear tore torn | think thought | throw threw thrown | understand understood | wake woke woken | wear wore worn
win won | write wrote written
child children | foot feet | man men | mouse mice | person people | tooth teeth | woman women`

const DERIVED = `
agree agreement | analyse analysis | approve approval | arrive arrival | begin beginning | bear born birth
choose choice | close closure | complain complaint | decide decision | deep depth | deliver delivery
describe description | die death | discover discovery | enter entry | expire expiry | explain explanation
fail failure | grow growth | high height | injure injury | insure insurance | introduce introduction
know knowledge | long length | lose loss | maintain maintenance | marry marriage | permit permission
produce production | propose proposal | prove proof | receive receipt | recover recovery | reduce reduction
refuse refusal | remove removal | renew renewal | respond response | sell sale | sign signature | solve solution
store storage | strong strength | succeed success | treat treatment | warm warmth | weigh weight | wide width`

const SPELLED = `
analyse analyze | center centre | catalog catalogue | color colour | favorite favourite | fiber fibre | gray grey
kilometer kilometre | license licence | liter litre | meter metre | neighbor neighbour | organise organize
program programme | theater theatre | tire tyre`

const SYNONYMS = `
allow permit | begin start commence | bicycle bike | boss manager superior | buy purchase | car automobile | cellar basement
delete remove | doctor physician | email mail | end finish | film movie | hire employ | holiday vacation
lift elevator | phone telephone | photo photograph picture | postpone delay | rent lease | repair fix mend
shut close | sick ill | talk lecture`

const groupsIn = (table: string): ReadonlyArray<ReadonlyArray<string>> =>
  table.trim().split(/[|\n]/u).map((group) => group.trim().split(/\s+/u).map(termOf))

const SAME = new Map<string, ReadonlySet<string>>()
for (const group of [IRREGULAR, DERIVED, SPELLED, SYNONYMS].flatMap(groupsIn)) {
  // What was bought was purchased: groups that share a word are one.
  const whole = new Set(group.flatMap((term) => [term, ...SAME.get(term) ?? []]))
  for (const term of whole) SAME.set(term, whole)
}

/** The terms that say what a term says, itself among them. */
export const sameAs = (term: string): ReadonlySet<string> => SAME.get(term) ?? new Set([term])
