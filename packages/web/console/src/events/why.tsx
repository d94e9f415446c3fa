import { useObject } from '../data/use-object.ts'
import { ExplainedRules } from '../groups/explained-rules.tsx'
import { t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import { doorSentence } from '../modes/explained-door.ts'
import { atTheDoor, nextOpening } from '../parts/door-time.ts'
import { Section } from '../parts/page.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { decidedWords } from './decided-words.ts'

/** Why an attempt was allowed or denied, as it was at that moment. */
export function Why({ event }: { event: LiveEvent }) {
  const { explanation, object } = event
  const then = object.decided_by?.rules ?? []
  return (
    <Section title="Why" about={aboutOf(event)}>
      <DoorTimes event={event} />
      {explanation ? (
        <ExplainedRules rules={explanation.rules} then={then} />
      ) : (
        then.length > 0 && <ExplainedRules rules={then.map(asTried)} then={then} />
      )}
    </Section>
  )
}

/** Events of before, and of older controllers, did not keep their rules. */
function aboutOf({ object }: LiveEvent): string {
  if (object.type !== 'access_denial') return t('The rule that allowed it, as it was at that moment')
  if (object.decided_by?.rules) return t('Every rule that was checked, and why it did not apply')
  return t('Every rule that was checked, as the rules are today. They may have been others at that moment.')
}

type Then = NonNullable<NonNullable<LiveEvent['object']['decided_by']>['rules']>[number]

/** A use has no explanation: what it keeps are the rules that allowed it. */
function asTried({ is_inherited, member_group_id, rule_index }: Then) {
  return {
    member_group_association_id: '',
    member_group_id,
    rule_index,
    is_inherited: is_inherited ?? false,
    failed: null,
    schedule_day: null,
  }
}

/** Shows the local time at the door of then, and when access would have been allowed. */
function DoorTimes({ event }: { event: LiveEvent }) {
  const gadget = useObject('gadgets', event.object.gadget_id ?? null)
  const { data: zone } = useZone(gadget.data?.site_id)
  const door = event.explanation?.door
  if (!zone) return null
  const decided = decidedWords(event, zone)
  return (
    <p className="events-door">
      {doorSentence(door, zone)}{' '}
      {decided ??
        `${atTheDoor(event.occurred_at, zone)} ${nextOpening({ ...event.explanation, reason: event.object.reason ?? null }, zone)}`}
    </p>
  )
}
