import { Anchor, Button } from '@mantine/core'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { IconCircleCheck, IconCircleDashed } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { Day } from './last-day.ts'

interface Step {
  readonly name: string
  readonly about: string
  readonly action: string
  readonly href: string
  readonly is_done: boolean
}

/** Leads a new organization to its first opened door. Hidden once a door was opened, and from viewers. */
export function Checklist({ day }: { day: Day }) {
  const { may_write } = useApi()
  const was_opened = day.happenings.some(({ is_denied }) => !is_denied)
  if (!may_write || day.is_loading || was_opened) return null
  return <IfNeverOpened />
}

function IfNeverOpened() {
  const opened = useList('events', { 'object.type': 'gadget_action', limit: 1 })
  if (opened.is_loading || opened.error || opened.items.length > 0) return null
  return <Steps />
}

function Steps() {
  const steps = useSteps()
  if (!steps) return null
  const next = steps.find(({ is_done }) => !is_done)
  const done = steps.filter(({ is_done }) => is_done).length
  return (
    <Section title="First steps" about={`${done} of ${steps.length} done`} flush>
      <ol className="checklist">
        {steps.map(step => (
          <li
            key={step.name}
            className="checklist-step"
            data-done={step.is_done}
            {...(step === next && { 'aria-current': 'step' })}
          >
            {step.is_done ? (
              <IconCircleCheck
                size={18}
                className="good-ink"
                role="img"
                aria-label="Done"
                aria-hidden={false}
              />
            ) : (
              <IconCircleDashed size={18} aria-hidden />
            )}
            <span className="checklist-text">
              <strong>{step.name}</strong>
              {step === next && <span className="soft">{step.about}</span>}
            </span>
            {step === next ? (
              <Button component={Link} href={step.href}>
                {step.action}
              </Button>
            ) : (
              !step.is_done && (
                <Anchor component={Link} href={step.href} size="sm">
                  {step.action}
                </Anchor>
              )
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const credentials = ['emails', 'magic_links', 'pins', 'cards', 'tokens'] as const
const memberExpands = ['group_associations', ...credentials]

interface Deletable {
  readonly is_deleted: boolean
}

/** What a member has, with what was taken away. */
type Opening = Readonly<
  Partial<Record<'group_associations' | (typeof credentials)[number], readonly Deletable[]>>
>

/** Whether a member is in a group and has something to open doors with. */
function mayOpen(member: Opening): boolean {
  const has = (name: keyof Opening) => member[name]?.some(({ is_deleted }) => !is_deleted) ?? false
  return has('group_associations') && credentials.some(has)
}

/** Undefined until it is known what there is. */
function useSteps(): readonly Step[] | undefined {
  const one = { limit: 1 }
  const sites = useList('sites', one)
  const devices = useList('devices', one)
  const gadgets = useList('gadgets', one)
  const groups = useList('member_groups', { limit: 100 })
  const members = useList<'members', Opening>('members', { limit: 20, expand: memberExpands })
  const lists = [sites, devices, gadgets, groups, members]
  if (lists.some(({ is_loading, error }) => is_loading || error)) return undefined
  return [
    {
      name: t('A site'),
      about: 'The building, with its address and time zone.',
      action: 'Create your first site',
      href: '/sites?new',
      is_done: sites.items.length > 0,
    },
    {
      name: t('A device'),
      about: 'The controller, lock or keypad. Without hardware, take a virtual one.',
      action: 'Add your first device',
      href: '/devices?new',
      is_done: devices.items.length > 0,
    },
    {
      name: t('A door'),
      about: 'What the device controls.',
      action: 'Add your first door',
      href: '/gadgets?new',
      is_done: gadgets.items.length > 0,
    },
    {
      name: t('A group with a rule'),
      about: 'Says which doors its members open, when and how.',
      ...(groups.items[0]
        ? { action: 'Add a rule to your group', href: `/groups/${groups.items[0].id}` }
        : { action: 'Create your first group', href: '/groups?new' }),
      is_done: groups.items.some(({ permissions }) => permissions.length > 0),
    },
    {
      name: t('A member'),
      about: 'A person in a group, with a PIN, a card or a link.',
      ...(members.items[0]
        ? { action: 'Give your member a group and a PIN', href: `/members/${members.items[0].id}` }
        : { action: 'Add your first member', href: '/members?new' }),
      is_done: members.items.some(mayOpen),
    },
    {
      name: t('The first opened door'),
      about: 'Open it in the list of doors, or as the member.',
      action: 'Open a door',
      href: '/gadgets',
      is_done: false,
    },
  ]
}
