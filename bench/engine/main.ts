import {
  compilePolicy,
  decide,
  explain,
  type PolicyRows,
  type Question,
} from '../../packages/core/src/index.ts'
import { measureCalendars } from './calendars.ts'
import { prepareCasbin } from './casbin.ts'
import { prepareCasl } from './casl.ts'
import { prepareCedar } from './cedar.ts'
import { measureCompile } from './compile.ts'
import { prepareLoop } from './hand-written-loop.ts'
import { measureModes } from './modes.ts'
import { drawQuestions, issueSize, makeOrganization } from './organization.ts'
import { type Contest, compareRounds } from './rounds.ts'
import { measureScale } from './scale.ts'

type Answer = (question: Question) => boolean

interface Contender {
  name: string
  answer: Answer | undefined
  /** How many questions to ask. Some engines are too slow for all of them. */
  questions: number
}

/** A wrong answer can be fast, so every engine must agree with ours before it is timed. */
function checkAnswers(name: string, answer: Answer, ours: Answer, questions: Question[]): void {
  const differing = questions.find(question => answer(question) !== ours(question))
  if (differing) throw new Error(`${name} disagrees on ${JSON.stringify(differing)}`)
}

async function prepareContenders(rows: PolicyRows): Promise<Contender[]> {
  const policy = compilePolicy(rows)
  return [
    { name: 'Gatehouse decide', answer: question => decide(policy, question).allowed, questions: 50_000 },
    { name: 'Gatehouse explain', answer: question => explain(policy, question).allowed, questions: 50_000 },
    { name: 'hand-written loop', answer: prepareLoop(rows), questions: 50_000 },
    { name: 'CASL', answer: await prepareCasl(rows), questions: 50_000 },
    { name: 'Cedar', answer: await prepareCedar(rows), questions: 50 },
    { name: 'Casbin', answer: await prepareCasbin(rows), questions: 50 },
  ]
}

async function compareEngines(): Promise<void> {
  const rows = makeOrganization(issueSize)
  const questions = drawQuestions(rows, 50_000)
  const contenders = await prepareContenders(rows)
  const ours = contenders[0]?.answer as Answer
  const contests: Contest[] = []
  for (const { name, answer, questions: count } of contenders) {
    if (!answer) console.log(`${name.padEnd(20)} not installed`)
    if (!answer) continue
    const asked = questions.slice(0, count)
    checkAnswers(name, answer, ours, asked)
    contests.push({ label: name, answer, sets: [asked] })
  }
  const times = compareRounds(contests, 10)
  for (const [index, { label }] of contests.entries())
    report(label, times[index] as number, times[0] as number)
}

function report(label: string, time: number, ours: number): void {
  const perSecond = Math.round(1e9 / time).toLocaleString('en')
  console.log(`${label.padEnd(20)} ${perSecond} a second, decide is ${(time / ours).toFixed(2)} x`)
}

const parts: Record<string, () => void | Promise<void>> = {
  engines: compareEngines,
  compile: measureCompile,
  scale: measureScale,
  calendars: measureCalendars,
  modes: measureModes,
}
const asked = process.argv.slice(2)
const unknown = asked.find(name => !(name in parts))
if (unknown) throw new Error(`there is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
for (const [name, run] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await run()
