import {
  type Decision,
  decide,
  type Explanation,
  explain,
  type Policy,
  type Question,
  toMicroseconds,
} from '@gatehouse/core'
import { applyRows } from '../policy/changes.ts'
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
  const policy = await work.context.policies.fresh(work.caller.organization_id)
  const asked: Question = { ...question, at: toMicroseconds(question.at ?? work.now) }
  const first = answer(policy, asked)
  if (first.reason !== 'unknown_credential') return first
  await bringIn(work, policy, asked)
  return answer(policy, asked)
}

async function bringIn(work: Work, policy: Policy, { credential_id, member_id }: Question): Promise<void> {
  const { db, caller } = work
  if (member_id !== undefined)
    await applyRows(db, caller.organization_id, policy, 'members', { column: 'id', ids: [member_id] })
  if (credential_id === undefined) return
  const [kind] = credential_id.split('_')
  const table = credentialTables[kind ?? '']
  if (!table) return
  await applyRows(db, caller.organization_id, policy, 'credentials', { column: 'id', ids: [credential_id] })
  const rows = await db.query<{ member_id: string }>(
    `SELECT member_id FROM ${table} WHERE organization_id = $1 AND id = $2`,
    [caller.organization_id, credential_id],
  )
  await applyRows(db, caller.organization_id, policy, 'members', {
    column: 'id',
    ids: rows.map(row => row.member_id),
  })
}

const credentialTables: Record<string, string> = {
  me: 'member_emails',
  mml: 'member_magic_links',
  mp: 'member_pins',
  mc: 'member_cards',
  mt: 'member_tokens',
}
