import {
  Menu,
  NativeSelect,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { IconBook, IconLogout, IconSelector, IconUserCircle } from '../icons/icons.ts'
import { chooseLanguage, type Language, language, languages } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { signOut } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { roleWords } from '../users/role-words.ts'

export function UserMenu() {
  const { session, organization } = useApi()
  const { user } = session
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="user-menu">
          <VisuallyHidden>{t('Your account')}</VisuallyHidden>
          <IconUserCircle size={22} stroke={1.4} aria-hidden />
          <span className="user-menu-text">
            <Name>{user.name ?? user.email}</Name>
            <Text size="xs" c="dimmed" component="span">
              {roleWords[organization.role][0]}
            </Text>
          </span>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Name>{user.email}</Name>
        </Menu.Label>
        <SchemeChoice />
        <LanguageChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserCircle size={15} />} component="a" href="/account">
          {t('Account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={15} />} component="a" href="/docs">
          {t('API reference')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void signOut(session)}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <div className="scheme-choice">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('Appearance')}
        value={colorScheme}
        onChange={value => setColorScheme(value as typeof colorScheme)}
        data={[
          { value: 'light', label: t('Light') },
          { value: 'dark', label: t('Dark') },
          { value: 'auto', label: t('System') },
        ]}
      />
    </div>
  )
}

function LanguageChoice() {
  return (
    <div className="scheme-choice">
      <NativeSelect
        size="xs"
        aria-label={t('Language')}
        value={language}
        onChange={event => chooseLanguage(event.currentTarget.value as Language)}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
    </div>
  )
}
