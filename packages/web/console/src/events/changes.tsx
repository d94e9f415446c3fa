import type { EventObject } from '@gatehouse-access/api'
import { Link } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { type Trigger, triggerExpands } from '../triggers/trigger.ts'
import { Source } from '../triggers/trigger-words.tsx'
import { changeSentence, idPattern } from './change-words.ts'

/** What an edit changed, with before and after. */
export function Changes({ object }: { object: EventObject }) {
  return (
    <Section title="What changed">
      <ChangeList object={object} />
    </Section>
  )
}

export function ChangeList({ object: { changes, changes_cut } }: { object: EventObject }) {
  return (
    <ul className="event-changes">
      {changes?.map((change, index) => (
        <li key={index}>
          <Named text={changeSentence(change)} />
          {change.is_cut && change.after != null && <span className="soft"> Long values are cut.</span>}
        </li>
      ))}
      {changes_cut && <li className="soft">More has changed than is listed here.</li>}
    </ul>
  )
}

const places = {
  site: ['sites', 'sites'],
  dev: ['devices', 'devices'],
  gad: ['gadgets', 'gadgets'],
  sch: ['schedules', 'schedules'],
  mg: ['member_groups', 'groups'],
  mem: ['members', 'members'],
  cal: ['calendars', 'calendars'],
  tag: ['tags', 'tags'],
  ur: ['unlock_rules', 'unlock-rules'],
  crd: ['cards', 'cards'],
  ep: ['emergency_plans', 'emergencies/plans'],
  em: ['emergencies', 'emergencies'],
  gt: ['gadget_triggers', 'triggers'],
} as const

/** Puts the names of objects in the place of their IDs. */
function Named({ text }: { text: string }) {
  const parts = text.split(idPattern)
  return parts.map((part, index) => (index % 2 === 0 ? part : <NameOf key={index} id={part} />))
}

function NameOf({ id }: { id: string }) {
  const { has_screen } = useApi()
  const path = `/${placeOf(id)[1]}/${id}`
  if (!has_screen(path)) return <ObjectName id={id} />
  return (
    <Link href={path} className="rule-place">
      <ObjectName id={id} />
    </Link>
  )
}

/** The name of what an ID that fits `idPattern` stands for. Triggers have none, so that of their source says which. */
export function ObjectName({ id }: { id: string }) {
  const { has_screen } = useApi()
  const [, path] = placeOf(id)
  if (!has_screen(`/${path}`)) return <Name fallback={id}>{undefined}</Name>
  return id.startsWith('gt_') ? <TriggerName id={id} /> : <OwnName id={id} />
}

function OwnName({ id }: { id: string }) {
  const [plural] = placeOf(id)
  const { data, error } = useObject<typeof plural, { readonly name?: string | null }>(plural, id)
  return data ? <Name>{data.name}</Name> : <Name fallback={error ? id : '…'}>{undefined}</Name>
}

function TriggerName({ id }: { id: string }) {
  const { data, error } = useObject<'gadget_triggers', Trigger>('gadget_triggers', id, triggerExpands)
  return data ? <Source trigger={data} /> : <Name fallback={error ? id : '…'}>{undefined}</Name>
}

function placeOf(id: string) {
  return places[(id.split('_')[0] ?? '') as keyof typeof places]
}
