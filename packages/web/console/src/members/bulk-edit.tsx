import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { countText } from '../data/use-count.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { locale } from '../language/languages.ts'
import { spoken, t } from '../language/t.ts'
import { BulkDialog } from '../parts/bulk-dialog.tsx'
import { capital } from '../parts/capital.ts'
import { plainWords } from '../parts/plain-words.ts'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { type ChangeKind, changeKinds, noChange } from './bulk-change.tsx'

export type Selected = { readonly ids: string[] } | { readonly filter: Record<string, string> }
type Job = ObjectOf<Resources['job']>

interface BulkEditProps {
  readonly kind: ChangeKind
  readonly selected: Selected
  readonly onClose: () => void
  /** Called once the change is made. */
  readonly onDone: () => void
}

/** Changes all selected members: asks what to change, shows by a dry run what that means, and does it. */
export function BulkEdit({ kind, selected, onClose, onDone }: BulkEditProps) {
  const { client } = useApi()
  const [tried, setTried] = useState<Job>()
  const { title, Fields, changeOf } = changeKinds[kind]
  const draft = useDraft(
    noChange,
    async values => {
      const change = changeOf(values)
      if (!change) return
      const job = await client.bulk.edit({ kind: 'members', ...selected, change, dry_run: true })
      setTried(await client.jobs.wait(job.id))
    },
    t('Could not check the change'),
  )
  if (tried) return <Numbers title={title} tried={tried} onClose={onClose} onDone={onDone} />
  return (
    <FormModal
      title={title}
      opened
      onClose={onClose}
      draft={draft}
      action="Check"
      is_empty={changeOf(draft.values) === undefined}
    >
      <Fields draft={draft} />
    </FormModal>
  )
}

interface NumbersProps {
  readonly title: string
  readonly tried: Job
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Shows what a dry run has counted, before the button that does it. */
function Numbers({ title, tried, onClose, onDone }: NumbersProps) {
  const run = useRun()
  const { summary, progress, error } = tried
  const count = summary.updated + summary.deleted
  const stay = summary.unchanged + progress.skipped
  const is_deletion = summary.deleted > 0
  const verb = is_deletion ? t('Delete') : t('Change')
  return (
    <BulkDialog
      title={title}
      numbers={[
        [t('Selected'), progress.done],
        [is_deletion ? t('Will be deleted') : t('Will change'), count],
        ...(stay > 0 ? [[t('Stay as they are'), stay] as const] : []),
        ...(progress.failed > 0 ? [[t('Cannot be changed'), progress.failed] as const] : []),
      ]}
      action={`${verb} ${countText({ count, is_more: false }, spoken(['member', 'members']))}`}
      is_deletion={is_deletion}
      is_empty={count === 0}
      failed="Could not change the members"
      onClose={onClose}
      onConfirm={async () => {
        await run(tried)
        onClose()
        onDone()
      }}
    >
      {error && <Text size="sm">{capital(plainWords(error.message))}</Text>}
    </BulkDialog>
  )
}

/** Returns a function that does what a dry run has shown, and offers to undo it. */
function useRun(): (tried: Job) => Promise<void> {
  const { client } = useApi()
  const refresh = useRefresh()
  const changed = ['members', 'member_groups', 'jobs']
  return async tried => {
    const done = await client.jobs.wait((await client.jobs.start(tried.id)).id)
    refresh(...changed)
    if (done.error) throw new Error(capital(plainWords(done.error.message)))
    showUndo({
      message: doneWords(done.summary),
      undo: async () => {
        const undone = await client.jobs.wait((await client.jobs.undo(done.id)).id)
        refresh(...changed)
        refuseIncomplete(undone)
      },
      undone: 'The members are as they were before',
      failed: 'Could not undo the change',
    })
  }
}

/** An undo leaves alone whom somebody has changed since. */
function refuseIncomplete({ error, progress: { skipped, failed } }: Job): void {
  if (error) throw new Error(capital(plainWords(error.message)))
  const left = (skipped + failed).toLocaleString(locale)
  if (left !== '0') throw new Error(t(`Not set back, because they have changed since: ${left}. See Jobs.`))
}

function doneWords({ updated, deleted }: Job['summary']): string {
  const count = updated + deleted
  if (count === 1) return deleted > 0 ? t('1 member deleted') : t('1 member changed')
  const number = count.toLocaleString(locale)
  return deleted > 0 ? t(`${number} members deleted`) : t(`${number} members changed`)
}
