import type { SiteZone } from '@gatehouse-access/api'
import { methodsText } from '../events/method-words.ts'
import type { Group } from '../groups/rule.ts'
import { capital } from '../parts/capital.ts'
import { NameLink } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { type StandingAccess, whenText } from './standing.ts'

/** When somebody has access to a door, how, and by which rules: for tall rows. Dates are in the zone, if it is known. */
export function standingColumns<T extends StandingAccess>(
  groupOf: (id: string) => Group | undefined,
  zone?: SiteZone,
): readonly Column<T>[] {
  return [
    {
      title: 'When',
      width: '2fr',
      render: ({ rules }) => {
        const times = new Set(rules?.map(rule => whenText(rule, groupOf(rule.member_group_id), zone)))
        return <span className="soft">{capital([...times].join('; '))}</span>
      },
    },
    {
      title: 'How',
      width: '1fr',
      render: ({ access_methods, requires_location }) => (
        <span className="soft">
          {capital(methodsText(access_methods))}
          {requires_location && ', near the site'}
        </span>
      ),
    },
    {
      title: 'By',
      width: '1.2fr',
      render: ({ rules }) => <By rules={rules ?? []} groupOf={groupOf} />,
    },
  ]
}

interface ByProps {
  readonly rules: NonNullable<StandingAccess['rules']>
  readonly groupOf: (id: string) => Group | undefined
}

function By({ rules, groupOf }: ByProps) {
  const ids = [...new Set(rules.map(({ member_group_id }) => member_group_id))]
  return (
    <>
      {ids.map((id, place) => {
        const numbers = rules.filter(rule => rule.member_group_id === id).map(rule => rule.rule_index + 1)
        const group = groupOf(id)
        return (
          <span key={id}>
            {place > 0 && ', '}
            <NameLink href={`/groups/${id}`}>{group?.name}</NameLink>
            {group && group.permissions.length > 1 && (
              <span className="soft">
                {numbers.length === 1 ? `, rule ${numbers[0]}` : `, rules ${numbers.join(', ')}`}
              </span>
            )}
          </span>
        )
      })}
    </>
  )
}
