import { type ComponentType, lazy } from 'react'
import {
  IconActivity,
  IconAdjustments,
  IconBell,
  IconBellCog,
  IconBolt,
  IconBuilding,
  IconCalendarEvent,
  IconCalendarTime,
  IconChartBar,
  IconCode,
  IconCpu,
  IconCreditCard,
  IconDoor,
  IconLayoutDashboard,
  IconListCheck,
  IconLockOpen,
  IconPlugConnected,
  IconShieldCheck,
  IconShieldLock,
  IconTag,
  IconUrgent,
  IconUserCog,
  IconUsers,
} from './icons/icons.ts'
import { t } from './language/t.ts'
import { isSiteRole, type Role, type SiteRole } from './session/session.ts'

/** Who edits there adds nothing. */
type Right = 'reads' | 'edits' | 'writes'

export interface Screen {
  readonly name: string
  /** The screen handles every path below it: `/members/:id`. */
  readonly path: string
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly section: 'now' | 'people' | 'doors' | 'organization'
  /** True when it appears in the bottom bar on a phone. */
  readonly is_main?: boolean
  /** What can be added there, at the path with `?new`. */
  readonly adding?: string
  /**
   * What front desks and installers can do there. Without a word, they have no such screen. Site viewers see what any of
   * them does, and site administrators can do the same, or more.
   */
  readonly roles?: Partial<Record<Exclude<SiteRole, 'site_viewer'>, Right>>
  readonly component: ComponentType
}

/** Loads each screen when it is first opened. */
function load(open: () => Promise<{ Screen: ComponentType }>): ComponentType {
  return lazy(async () => ({ default: (await open()).Screen }))
}

/** All screens of the console. Navigation, routes and search use this table. */
export const screens: readonly Screen[] = [
  {
    name: t('Overview'),
    path: '/',
    icon: IconLayoutDashboard,
    section: 'now',
    is_main: true,
    component: load(() => import('./overview/screen.tsx')),
  },
  {
    name: t('Events'),
    path: '/events',
    roles: { front_desk: 'reads' },
    icon: IconActivity,
    section: 'now',
    is_main: true,
    component: load(() => import('./events/screen.tsx')),
  },
  {
    name: t('Reports'),
    path: '/reports',
    icon: IconChartBar,
    section: 'now',
    component: load(() => import('./reports/screen.tsx')),
  },
  {
    name: t('Alarms'),
    path: '/alarms',
    icon: IconBell,
    section: 'now',
    component: load(() => import('./alarms/screen.tsx')),
  },
  {
    name: t('Emergencies'),
    path: '/emergencies',
    roles: { front_desk: 'reads' },
    icon: IconUrgent,
    section: 'now',
    is_main: true,
    component: load(() => import('./emergencies/screen.tsx')),
  },
  {
    name: t('Members'),
    path: '/members',
    adding: t('New member'),
    roles: { front_desk: 'writes' },
    icon: IconUsers,
    section: 'people',
    is_main: true,
    component: load(() => import('./members/screen.tsx')),
  },
  {
    name: t('Groups'),
    path: '/groups',
    adding: t('New group'),
    roles: { front_desk: 'reads' },
    icon: IconShieldCheck,
    section: 'people',
    component: load(() => import('./groups/screen.tsx')),
  },
  {
    name: t('Schedules'),
    path: '/schedules',
    adding: t('New schedule'),
    icon: IconCalendarTime,
    section: 'people',
    component: load(() => import('./schedules/screen.tsx')),
  },
  {
    name: t('Calendars'),
    path: '/calendars',
    icon: IconCalendarEvent,
    section: 'people',
    component: load(() => import('./calendars/screen.tsx')),
  },
  {
    name: t('Cards'),
    path: '/cards',
    adding: t('New card'),
    roles: { front_desk: 'reads' },
    icon: IconCreditCard,
    section: 'people',
    component: load(() => import('./cards/screen.tsx')),
  },
  {
    name: t('Sites'),
    path: '/sites',
    adding: t('New site'),
    roles: { front_desk: 'reads', installer: 'reads', site_administrator: 'edits' },
    icon: IconBuilding,
    section: 'doors',
    component: load(() => import('./sites/screen.tsx')),
  },
  {
    name: t('Doors'),
    path: '/gadgets',
    adding: t('New door'),
    roles: { front_desk: 'reads', installer: 'writes' },
    icon: IconDoor,
    section: 'doors',
    is_main: true,
    component: load(() => import('./gadgets/screen.tsx')),
  },
  {
    name: t('Unlock rules'),
    path: '/unlock-rules',
    icon: IconLockOpen,
    section: 'doors',
    component: load(() => import('./unlock-rules/screen.tsx')),
  },
  {
    name: t('Devices'),
    path: '/devices',
    adding: t('New device'),
    roles: { front_desk: 'reads', installer: 'writes' },
    icon: IconCpu,
    section: 'doors',
    component: load(() => import('./devices/screen.tsx')),
  },
  {
    name: t('Triggers'),
    path: '/triggers',
    roles: { installer: 'writes' },
    icon: IconBolt,
    section: 'doors',
    component: load(() => import('./triggers/screen.tsx')),
  },
  {
    name: t('Tags'),
    path: '/tags',
    adding: t('New tag'),
    icon: IconTag,
    section: 'organization',
    component: load(() => import('./tags/screen.tsx')),
  },
  {
    name: t('Jobs'),
    path: '/jobs',
    icon: IconListCheck,
    section: 'organization',
    component: load(() => import('./jobs/screen.tsx')),
  },
  {
    name: t('Users'),
    path: '/users',
    adding: t('Invite user'),
    icon: IconUserCog,
    section: 'organization',
    component: load(() => import('./users/screen.tsx')),
  },
  {
    name: t('Applications'),
    path: '/applications',
    icon: IconPlugConnected,
    section: 'organization',
    component: load(() => import('./applications/screen.tsx')),
  },
  {
    name: t('Developers'),
    path: '/developers',
    icon: IconCode,
    section: 'organization',
    component: load(() => import('./developers/screen.tsx')),
  },
  {
    name: t('Your notifications'),
    path: '/notifications',
    icon: IconBellCog,
    section: 'organization',
    component: load(() => import('./notifications/screen.tsx')),
  },
  {
    name: t('Privacy'),
    path: '/privacy',
    icon: IconShieldLock,
    section: 'organization',
    component: load(() => import('./privacy/screen.tsx')),
  },
  {
    name: t('Settings'),
    path: '/settings',
    icon: IconAdjustments,
    section: 'organization',
    component: load(() => import('./settings/screen.tsx')),
  },
]

/** The screens of a role, each with whether it may change something there. The first one is where it begins. */
export function screensOf(role: Role): readonly (Screen & { readonly may_write: boolean })[] {
  if (!isSiteRole(role)) return screens.map(screen => ({ ...screen, may_write: role !== 'viewer' }))
  const own = screens.flatMap(({ adding, ...screen }) => {
    const right = rightOf(screen, role)
    return right
      ? [{ ...screen, ...(right === 'writes' && adding && { adding }), may_write: right !== 'reads' }]
      : []
  })
  const first = firsts[role]
  return own.toSorted((a, b) => Number(b.path === first) - Number(a.path === first))
}

const firsts: Record<SiteRole, string> = {
  front_desk: '/members',
  installer: '/devices',
  site_administrator: '/gadgets',
  site_viewer: '/gadgets',
}

function rightOf({ roles }: Pick<Screen, 'roles'>, role: SiteRole): Right | undefined {
  if (!roles) return undefined
  if (role === 'site_viewer') return 'reads'
  const rights = role === 'site_administrator' ? Object.values(roles) : [roles[role]]
  return (['writes', 'edits', 'reads'] as const).find(right => rights.includes(right))
}
