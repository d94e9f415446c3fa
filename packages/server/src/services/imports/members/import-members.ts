import { keyOfRow, readMemberRow, type SourceRow } from '@gatehouse-access/api'
import type { Work } from '../../objects/context.ts'
import type { BatchOptions, RowContext } from '../rows/row-context.ts'
import { digestsOf, inWordsOf, type RowResult } from '../rows/row-result.ts'
import { applyMembers } from './apply-members.ts'
import { noteMember } from './foresee.ts'
import { idOf, type MemberPlan } from './plan.ts'
import { planMembers } from './plan-members.ts'
import { credentialsOf, diffOf, etagAfter, undoOf } from './row-results.ts'
import { touchedBy } from './touched.ts'

type MemberBatch = RowContext & BatchOptions

/** Imports rows. A dry run plans them and writes nothing. */
export async function importMembers(
  work: Work,
  sources: readonly SourceRow[],
  batch: MemberBatch,
): Promise<RowResult[]> {
  const { reading, survey, is_dry_run, stops, foreseen, dry_run_id, counted } = batch
  const rows = sources.map(source => {
    const row = readMemberRow(source, reading)
    const repeat = survey.repeatOf(source)
    return repeat ? { ...row, problems: [...row.problems, repeat] } : row
  })
  const { mode, key } = reading.settings
  // Of other keys a member has one value, which the survey compares.
  const can_repeat = survey.has_ids || key === 'email' || key === 'card_uid'
  const settings = { mode, key, is_dry_run, foreseen, dry_run_id, counted }
  const done: MemberPlan[] = []
  while (done.length < rows.length) {
    const all = await planMembers(work, rows.slice(done.length), settings)
    const failed = all.findIndex(plan => plan.outcome === 'failed')
    const isStopped = stops && failed >= 0
    const plans = isStopped ? all.slice(0, failed + 1) : all
    if (!is_dry_run) await applyMembers(work, plans)
    for (const plan of plans) noteMember(foreseen, plan, { key, is_dry_run, can_repeat })
    done.push(...plans)
    if (isStopped) break
  }
  return done.map((plan, index) => resultOf(plan, sources[index] as SourceRow, batch))
}

function resultOf(
  plan: MemberPlan,
  source: SourceRow,
  { is_dry_run, digest, reading }: MemberBatch,
): RowResult {
  const { outcome, problems, row, made } = plan
  const { key: keyName } = reading.settings
  const touched = is_dry_run ? digestsOf(touchedBy(plan, keyName), digest) : undefined
  const base = { source, outcome, problems: inWordsOf(source, problems), notices: row.notices, etag: touched }
  if (outcome === 'failed') return base
  const key = keyOfRow(row, keyName)
  const object_id = plan.created && is_dry_run ? key && digest(key) : idOf(plan) || undefined
  if (outcome === 'unchanged') return { ...base, object_id }
  const ends_at = plan.created?.ends_at ?? null
  return {
    ...base,
    object_id,
    etag: is_dry_run ? touched : etagAfter(plan),
    credentials_created: credentialsOf(plan),
    is_endless: outcome === 'created' && ends_at === null,
    ...(is_dry_run
      ? { diff: diffOf(plan) }
      : {
          undo: undoOf(plan),
          secrets: { ...made, name: plan.created?.name ?? plan.held?.member.name ?? null },
        }),
  }
}
