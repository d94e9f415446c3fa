import {
  type DecidedBy,
  decidedBy,
  type Explanation,
  explainSteps,
  type Policy,
  type Question,
  type Steps,
  toMicroseconds,
} from '@gatehouse-access/core'
import type { Work } from '../objects/context.ts'

/** A question as requests pose it: `at` is a timestamp, and defaults to now. */
export type AskedQuestion = Omit<Question, 'at'> & { readonly at?: string | undefined }

export function explainNow(work: Work, question: AskedQuestion): Promise<Explanation> {
  return ask(work, question, explainSteps)
}

/** A decision that is going to be recorded, with what it has to be recorded with. */
export interface Judged {
  readonly explanation: Explanation
  readonly decided_by: DecidedBy | null
}

export function judgeNow(work: Work, question: AskedQuestion): Promise<Judged> {
  return ask(work, question, function* judge(policy, asked): Steps<Judged> {
    const explanation = yield* explainSteps(policy, asked)
    return { explanation, decided_by: decidedBy(policy, asked, explanation) }
  })
}

type Answer<T> = (policy: Policy, asked: Question) => Steps<T>

/** Policies omit deleted objects. An unknown member may be deleted, so it is looked up before the answer. */
async function ask<T extends Explanation | Judged>(
  work: Work,
  question: AskedQuestion,
  answerFrom: Answer<T>,
): Promise<T> {
  const { policies } = work.context
  const { organization_id } = work.caller
  const asked: Question = { ...question, at: toMicroseconds(question.at ?? work.now) }
  const answer = (policy: Policy) => answerFrom(policy, asked)
  const first = await policies.ask(organization_id, answer)
  const { reason } = 'explanation' in first ? first.explanation : first
  if (reason !== 'unknown_credential') return first
  const member_id = asked.member_id ?? (await findHolder(work, asked.credential_id ?? ''))
  return member_id === undefined ? first : policies.askAbout(organization_id, member_id, answer)
}

/** Returns the member of a credential, deleted or not. The member of a credential never changes. */
export async function findHolder({ db, caller }: Work, credentialId: string): Promise<string | undefined> {
  const table = credentialTables[credentialId.split('_', 1)[0] ?? '']
  if (!table) return undefined
  const [row] = await db.query<{ member_id: string }>(
    `SELECT member_id FROM ${table} WHERE organization_id = $1 AND id = $2`,
    [caller.organization_id, credentialId],
  )
  return row?.member_id
}

const credentialTables: Record<string, string> = {
  me: 'member_emails',
  mml: 'member_magic_links',
  mp: 'member_pins',
  mc: 'member_cards',
  mt: 'member_tokens',
}
