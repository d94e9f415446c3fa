import { objectTypes, verbs } from '@gatehouse-access/api'
import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { titleOf } from '../cards/card.ts'
import { keyOf, type Plural } from '../data/collections.ts'
import { MomentInput } from '../form/moment-input.tsx'
import { Pick } from '../form/pick.tsx'
import { SearchSelect } from '../form/search-select.tsx'
import { IconX } from '../icons/icons.ts'
import { spoken, t } from '../language/t.ts'
import { spanChoices, spanWords } from '../lists/days-filter.ts'
import { bindFilter, FilterBar } from '../lists/filter-bar.tsx'
import { capital } from '../parts/capital.ts'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { idPattern, nameOf } from './change-words.ts'
import { ObjectName } from './changes.tsx'
import { type EventFilters, eventSorts } from './filters.ts'
import { methodChoices } from './method-words.ts'
import { type Actor, readActor } from './read-actor.ts'
import { kindWords } from './words.ts'

const verbNames: Record<string, string> = {
  create: t('Added', 'events'),
  edit: t('Changed', 'events'),
  delete: t('Deleted', 'events'),
  use: t('Used', 'events'),
  reveal: t('Revealed', 'events'),
}

/** What an event can be about, beside a door. */
const about: Readonly<Record<string, readonly [string, Plural]>> = {
  'object.member_id': [t('Member it is about'), 'members'],
  'object.site_id': [t('Site'), 'sites'],
  'object.device_id': [t('Device'), 'devices'],
  member_group_id: [t('Group'), 'member_groups'],
  tag_id: [t('Tag'), 'tags'],
  'object.member_group_id': [t('Group it is about'), 'member_groups'],
  'object.schedule_id': [t('Schedule'), 'schedules'],
  'object.calendar_id': [t('Calendar'), 'calendars'],
  'object.card_id': [t('Card'), 'cards'],
  'object.tag_id': [t('Tag it is about'), 'tags'],
  'object.unlock_rule_id': [t('Unlock rule'), 'unlock_rules'],
  'object.emergency_plan_id': [t('Emergency plan'), 'emergency_plans'],
}

interface BarProps {
  readonly filters: EventFilters
  readonly onChange: (name: string, value: string | null) => void
}

/** What front desks do not read. */
const unread = new Set(['object.schedule_id', 'object.calendar_id', 'object.unlock_rule_id'])

/** Always shows the most used filters. Others are added when they are needed. */
export function EventFilterBar({ filters, onChange }: BarProps) {
  const { sees_all } = useApi()
  const bind = (name: string) => bindFilter(filters, name, onChange)
  const offered = Object.keys(about).filter(name => sees_all || !unread.has(name))
  const [added, setAdded] = useState<readonly string[]>([])
  const more = offered.filter(name => added.includes(name) || name in filters)
  return (
    <FilterBar
      count={Object.keys(filters).filter(name => name !== 'sort').length}
      note={spanWords(filters.when)}
    >
      <Select label="When" clearable data={spanChoices} {...bind('when')} placeholder="Any time" />
      <SearchSelect
        label="Object"
        clearable
        data={objectTypes.map(type => ({ value: type, label: capital(kindWords[type] ?? type) }))}
        {...bind('object.type')}
      />
      <Select
        label="Action"
        clearable
        data={verbs.map(verb => ({ value: verb, label: verbNames[verb] ?? verb }))}
        {...bind('verb')}
      />
      <Pick plural="members" label="Member" {...bind('subject.member_id')} />
      <Pick plural="gadgets" label="Door" {...bind('object.gadget_id')} />
      <Select label="Method" clearable data={methodChoices} {...bind('subject.access_method')} />
      {!filters.when && (
        <>
          <MomentInput label="From" description="" {...bind('created_at:ge')} />
          <MomentInput label="Until" description="" {...bind('created_at:lt')} />
        </>
      )}
      {more.map(name => (
        <Pick
          key={name}
          label={about[name]?.[0] ?? ''}
          plural={about[name]?.[1] ?? 'members'}
          {...(name === 'object.card_id' && { nameOf: titleOf })}
          {...bind(name)}
        />
      ))}
      <SearchSelect
        label="More filters"
        placeholder="Choose…"
        value={null}
        onChange={name => name && setAdded(held => [...held, name])}
        data={offered
          .filter(name => !more.includes(name))
          .map(name => ({ value: name, label: about[name]?.[0] ?? '' }))}
      />
      <Select
        label="Order"
        allowDeselect={false}
        data={eventSorts.map(([value, label]) => ({ value, label }))}
        value={filters.sort ?? eventSorts[0][0]}
        onChange={value => onChange('sort', value === eventSorts[0][0] ? null : value)}
      />
      <OtherFilters filters={filters} onChange={onChange} />
    </FilterBar>
  )
}

const shown = new Set([
  'when',
  'sort',
  'object.type',
  'verb',
  'subject.member_id',
  'object.gadget_id',
  'subject.access_method',
  'created_at:ge',
  'created_at:lt',
  ...Object.keys(about),
])

/** Shows the filters of a link that have no input of their own, each with a button that removes it. */
function OtherFilters({ filters, onChange }: BarProps) {
  const given = Object.entries(filters).filter(([name]) => !shown.has(name))
  if (given.length === 0) return null
  return (
    <Group gap={6} className="filters-chips">
      {given.map(([name, value]) => (
        <Button
          key={name}
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} />}
          onClick={() => onChange(name, null)}
          aria-label={`Remove filter ${filterWords(name)}`}
        >
          {filterWords(name)}: <FilterValue name={name} value={value} />
        </Button>
      ))}
    </Group>
  )
}

/** Whom or what a filter names, in words. */
function FilterValue({ name, value }: { name: string; value: string }) {
  if (name === 'object.changed_field') return nameOf(value)
  if (name.includes(':')) return Number.isNaN(Date.parse(value)) ? value : <OwnTime at={value} />
  if (name.endsWith('.user_id')) return <ActorName user_id={value} />
  if (name.endsWith('.oauth_application_id')) return <ActorName oauth_application_id={value} />
  return idPattern.test(value) && value.length < 30 ? <ObjectName id={value} /> : value
}

function ActorName(actor: Actor) {
  const { client, organization } = useApi()
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'events', 'actor', actor),
    queryFn: () => readActor(client, actor),
    staleTime: 60_000,
  })
  return <bdi>{data ?? '…'}</bdi>
}

const comparisons: Readonly<Record<string, string>> = spoken({
  ge: 'from',
  gt: 'after',
  lt: 'before',
  le: 'until',
})
const fieldWords: Readonly<Record<string, string>> = {
  created_at: t('Happened'),
  occurred_at: t('Happened at the device'),
  recorded_at: t('Recorded'),
  'object.changed_field': t('Changed field'),
}

/** Returns `PIN`, `By user` or `Recorded from`: what a filter is about, in words. */
export function filterWords(name: string): string {
  const [field = '', sign = ''] = name.split(':')
  if (field in fieldWords) return [fieldWords[field], comparisons[sign]].filter(Boolean).join(' ')
  const [whose = '', id = ''] = field.split('.')
  const kind = id.replace(/_id$/, '')
  const words = kindWords[kind] ?? kind.replaceAll('_', ' ')
  return whose === 'subject' ? t(`By ${words}`) : capital(words)
}
