import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { IconLockOpen } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { findHoldPairs, type HoldPairs } from './hold-pairs.ts'
import type { Trigger } from './trigger.ts'
import './triggers.css'

/** Offers to turn pairs of triggers that hold doors open into unlock rules. */
export function OfferRules({ triggers }: { triggers: readonly Trigger[] }) {
  const { may_write, sees_all } = useApi()
  const found = may_write && sees_all ? findHoldPairs(triggers) : []
  return found.map(held => <Offer key={`${held.schedule_id} ${held.site_id}`} held={held} />)
}

function Offer({ held }: { held: HoldPairs }) {
  const { turn, is_busy } = useTurn(held)
  const doors = held.pairs.map(({ enter }) => enter.target_gadget?.name ?? '').join(', ')
  return (
    <Alert
      color="blue"
      icon={<IconLockOpen size={16} />}
      title="These triggers can be an unlock rule"
      className="triggers-offer"
    >
      <p>
        {held.pairs.length * 2} triggers keep <bdi>{doors}</bdi> unlocked during{' '}
        <bdi>{held.schedule_name}</bdi>. An unlock rule does the same, is right again after a power cut, can
        wait for the first person, and steps back in an emergency.
      </p>
      <Button variant="default" loading={is_busy} onClick={() => void turn()}>
        Turn into an unlock rule
      </Button>
    </Alert>
  )
}

/** Creates the rule first and deletes the triggers afterwards, so that the doors are never without either. */
function useTurn({ schedule_id, schedule_name, site_id, pairs }: HoldPairs) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const ids = pairs.flatMap(({ enter, exit }) => [enter.id, exit.id])
  const renew = () => refresh('gadget_triggers', 'unlock_rules', 'gadgets', 'modes')
  const undo = (rule_id: string) => async () => {
    for (const id of ids) await client.gadget_triggers.edit(id, { is_deleted: false })
    await client.unlock_rules.delete(rule_id)
    renew()
  }
  const turn = async () => {
    setBusy(true)
    try {
      const gadget_ids = pairs.map(({ enter }) => enter.target_gadget_id)
      const rule = await client.unlock_rules.create({ name: schedule_name, site_id, schedule_id, gadget_ids })
      for (const id of ids) await client.gadget_triggers.delete(id)
      showUndo({
        message: `Unlock rule ${schedule_name} created`,
        undo: undo(rule.id),
        undone: 'The triggers are back',
        failed: 'Could not undo',
      })
    } catch (error) {
      showFailure(error, t('Could not turn the triggers into an unlock rule'))
    }
    setBusy(false)
    renew()
  }
  return { turn, is_busy }
}
