import {
  compilePolicy,
  decide,
  explain,
  type PolicyRows,
  type Question,
} from '../../packages/core/src/index.ts'
import { prepareCasbin } from './casbin.ts'
import { prepareCasl } from './casl.ts'
import { prepareCedar } from './cedar.ts'
import { measureCompile } from './compile.ts'
import { prepareLoop } from './hand-written-loop.ts'
import { measure } from './measure.ts'
import { drawQuestions, issueSize, makeOrganization } from './organization.ts'
import { measureScale } from './scale.ts'

type Answer = (question: Question) => boolean

interface Contender {
  name: string
  answer: Answer | undefined
  /** How many of the questions: some are too slow for all. */
  questions: number
}

/** A wrong answer may be fast: before it is timed, every engine has to agree with ours. */
function checkAnswers({ name, answer }: Contender, ours: Answer, questions: Question[]): void {
  const differing = questions.find(question => answer?.(question) !== ours(question))
  if (differing) throw new Error(`${name} disagrees on ${JSON.stringify(differing)}`)
}

async function prepareContenders(rows: PolicyRows): Promise<Contender[]> {
  const policy = compilePolicy(rows)
  return [
    { name: 'Gatehouse decide', answer: question => decide(policy, question).allowed, questions: 50_000 },
    { name: 'Gatehouse explain', answer: question => explain(policy, question).allowed, questions: 50_000 },
    { name: 'hand-written loop', answer: prepareLoop(rows), questions: 50_000 },
    { name: 'CASL', answer: await prepareCasl(rows), questions: 50_000 },
    { name: 'Cedar', answer: await prepareCedar(rows), questions: 100 },
    { name: 'Casbin', answer: await prepareCasbin(rows), questions: 100 },
  ]
}

async function compareEngines(): Promise<void> {
  const rows = makeOrganization(issueSize)
  const questions = drawQuestions(rows, 50_000)
  const contenders = await prepareContenders(rows)
  const ours = contenders[0]?.answer as Answer
  let speed = 0
  for (const contender of contenders) {
    if (!contender.answer) console.log(`${contender.name.padEnd(20)} not installed`)
    if (!contender.answer) continue
    const asked = questions.slice(0, contender.questions)
    checkAnswers(contender, ours, asked)
    const perSecond = measure(asked, contender.answer)
    speed ||= perSecond
    const ratio = (speed / perSecond).toFixed(2)
    console.log(
      `${contender.name.padEnd(20)} ${Math.round(perSecond).toLocaleString('en')} a second, decide is ${ratio} x`,
    )
  }
}

const parts: Record<string, () => void | Promise<void>> = {
  engines: compareEngines,
  compile: measureCompile,
  scale: measureScale,
}
const asked = process.argv.slice(2)
const unknown = asked.find(name => !(name in parts))
if (unknown) throw new Error(`there is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
for (const [name, run] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await run()
