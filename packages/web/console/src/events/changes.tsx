import type { EventObject } from '@gatehouse-access/api'
import { Link } from 'wouter'
import { useNamed } from '../data/use-named.ts'
import { t } from '../language/t.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
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

export function ChangeList({ object }: { object: EventObject }) {
  const { changes, changes_cut, member_id, site_id } = object
  const { zone } = useDatesZone(site_id ? { site_id } : member_id ? { member_id } : {})
  return (
    <ul className="event-changes">
      {changes?.map((change, index) => (
        <li key={index}>
          <Named text={changeSentence(change, zone)} />
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

/** Puts the names of objects in the place of their IDs, as links unless they stand in a row that is one. */
export function Named({ text, is_linked = true }: { text: string; is_linked?: boolean }) {
  const Shown = is_linked ? NameOf : ObjectName
  const parts = text.split(idPattern)
  return parts.map((part, index) => (index % 2 === 0 ? part : <Shown key={index} id={part} />))
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
  if (!has_screen(`/${path}`)) return <Name fallback={t('(not shown to your role)')}>{undefined}</Name>
  return id.startsWith('gt_') ? <TriggerName id={id} /> : <OwnName id={id} />
}

function OwnName({ id }: { id: string }) {
  const [plural] = placeOf(id)
  const found = useNamed<{ readonly name?: string | null }>(plural, id)
  const missing = useMissingWords(id, found)
  return found.data ? <Name>{found.data.name}</Name> : <Name fallback={missing}>{undefined}</Name>
}

function TriggerName({ id }: { id: string }) {
  const found = useNamed<Trigger>('gadget_triggers', id, triggerExpands)
  const missing = useMissingWords(id, found)
  return found.data ? <Source trigger={found.data} /> : <Name fallback={missing}>{undefined}</Name>
}

interface Found {
  readonly data: unknown
  readonly error: Error | null
}

/** What is known of an object that is not, or not yet, there. To a role at some sites, it may be at another. */
function useMissingWords(id: string, { data, error }: Found): string {
  const { organization } = useApi()
  if (data === null) return organization.site_ids ? t('(not shown to your role)') : t('(deleted)')
  return error ? id : '…'
}

function placeOf(id: string) {
  return places[(id.split('_')[0] ?? '') as keyof typeof places]
}
