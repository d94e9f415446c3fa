import {
  type Decision,
  decide,
  type Explanation,
  explain,
  type Policy,
  type Question,
  toMicroseconds,
} from '@gatehouse/core'
import type { Work } from './behaviour.ts'

/** A question as requests put it: the time as a timestamp, now when left out. */
export type AskedQuestion = Omit<Question, 'at'> & { readonly at?: string | undefined }

export function decideNow(work: Work, question: AskedQuestion): Promise<Decision> {
  return ask(work, question, decide)
}

export function explainNow(work: Work, question: AskedQuestion): Promise<Explanation> {
  return ask(work, question, explain)
}

/** Policies hold what lives. Someone they do not know may be deleted, so that is looked up before the answer. */
async function ask<Answer extends Decision>(
  work: Work,
  question: AskedQuestion,
  answer: (policy: Policy, question: Question) => Answer,
): Promise<Answer> {
  const { policies } = work.context
  const { organization_id } = work.caller
  const asked: Question = { ...question, at: toMicroseconds(question.at ?? work.now) }
  const first = answer(await policies.fresh(organization_id), asked)
  if (first.reason !== 'unknown_credential') return first
  const member_id = asked.member_id ?? (await findHolder(work, asked.credential_id ?? ''))
  return member_id === undefined ? first : answer(await policies.including(organization_id, member_id), asked)
}

/** The member of a credential, be it deleted or not; that never changes. */
async function findHolder({ db, caller }: Work, credentialId: string): Promise<string | undefined> {
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
