import { Badge, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useLocation } from 'wouter'
import { IconCheck, IconPlus, IconSelector } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { initial, Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'

/** Shows the current organization, and links to the others. */
export function OrganizationSwitcher() {
  const { organization, session } = useApi()
  const [, go] = useLocation()
  const others = session.organizations.toSorted(
    (a, b) => Number(a.due_at !== null) - Number(b.due_at !== null),
  )
  return (
    <Menu width={260}>
      <Menu.Target>
        <UnstyledButton className="switcher">
          <VisuallyHidden>{t('Organization')}</VisuallyHidden>
          <span className="switcher-mark" aria-hidden>
            {initial(organization.name)}
          </span>
          <Name>{organization.name}</Name>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={420} className="scroll">
        <Menu.Label>{t('Organizations')}</Menu.Label>
        {others.map(({ id, name, is_test, due_at }) => (
          <Menu.Item
            key={id}
            onClick={() => go(`~/o/${id}`)}
            rightSection={
              id === organization.id ? (
                <IconCheck size={14} />
              ) : (
                (due_at || is_test) && (
                  <Badge color={due_at ? 'red' : 'gray'}>
                    {due_at ? t('Deleted', 'organization') : t('Test')}
                  </Badge>
                )
              )
            }
          >
            <Name>{name}</Name>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => go('~/welcome')}>
          {t('New organization')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
