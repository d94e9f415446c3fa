import type { EventObject } from '@gatehouse-access/api'
import { Link } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
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

/** The name of what an ID that fits `idPattern` stands for. */
export function ObjectName({ id }: { id: string }) {
  const { has_screen } = useApi()
  const [plural, path] = placeOf(id)
  const is_shown = has_screen(`/${path}`)
  const { data, error } = useObject<typeof plural, { readonly name?: string | null }>(
    plural,
    is_shown ? id : undefined,
  )
  return <Name fallback={error || !is_shown ? id : '…'}>{data?.name}</Name>
}

function placeOf(id: string) {
  return places[(id.split('_')[0] ?? '') as keyof typeof places]
}
