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
import { isSiteRole, type Role, type SiteRole } from './session/session.ts'

export interface Screen {
  readonly name: string
  /** The screen handles every path below it: `/members/:id`. */
  readonly path: string
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly section: 'Now' | 'People' | 'Doors & devices' | 'Organization'
  /** True when it appears in the bottom bar on a phone. */
  readonly is_main?: boolean
  /** What front desks and installers can do there. Without a word, they have no such screen. */
  readonly roles?: Partial<Record<SiteRole, 'reads' | 'writes'>>
  readonly component: ComponentType
}

/** Loads each screen when it is first opened. */
function load(open: () => Promise<{ Screen: ComponentType }>): ComponentType {
  return lazy(async () => ({ default: (await open()).Screen }))
}

/** All screens of the console. Navigation, routes and search use this table. */
export const screens: readonly Screen[] = [
  {
    name: 'Overview',
    path: '/',
    icon: IconLayoutDashboard,
    section: 'Now',
    is_main: true,
    component: load(() => import('./overview/screen.tsx')),
  },
  {
    name: 'Events',
    path: '/events',
    roles: { front_desk: 'reads' },
    icon: IconActivity,
    section: 'Now',
    is_main: true,
    component: load(() => import('./events/screen.tsx')),
  },
  {
    name: 'Alarms',
    path: '/alarms',
    icon: IconBell,
    section: 'Now',
    component: load(() => import('./alarms/screen.tsx')),
  },
  {
    name: 'Emergencies',
    path: '/emergencies',
    roles: { front_desk: 'reads' },
    icon: IconUrgent,
    section: 'Now',
    is_main: true,
    component: load(() => import('./emergencies/screen.tsx')),
  },
  {
    name: 'Members',
    path: '/members',
    roles: { front_desk: 'writes' },
    icon: IconUsers,
    section: 'People',
    is_main: true,
    component: load(() => import('./members/screen.tsx')),
  },
  {
    name: 'Groups',
    path: '/groups',
    roles: { front_desk: 'reads' },
    icon: IconShieldCheck,
    section: 'People',
    component: load(() => import('./groups/screen.tsx')),
  },
  {
    name: 'Schedules',
    path: '/schedules',
    icon: IconCalendarTime,
    section: 'People',
    component: load(() => import('./schedules/screen.tsx')),
  },
  {
    name: 'Calendars',
    path: '/calendars',
    icon: IconCalendarEvent,
    section: 'People',
    component: load(() => import('./calendars/screen.tsx')),
  },
  {
    name: 'Cards',
    path: '/cards',
    roles: { front_desk: 'reads' },
    icon: IconCreditCard,
    section: 'People',
    component: load(() => import('./cards/screen.tsx')),
  },
  {
    name: 'Sites',
    path: '/sites',
    roles: { front_desk: 'reads', installer: 'reads' },
    icon: IconBuilding,
    section: 'Doors & devices',
    component: load(() => import('./sites/screen.tsx')),
  },
  {
    name: 'Doors',
    path: '/gadgets',
    roles: { front_desk: 'reads', installer: 'writes' },
    icon: IconDoor,
    section: 'Doors & devices',
    is_main: true,
    component: load(() => import('./gadgets/screen.tsx')),
  },
  {
    name: 'Unlock rules',
    path: '/unlock-rules',
    icon: IconLockOpen,
    section: 'Doors & devices',
    component: load(() => import('./unlock-rules/screen.tsx')),
  },
  {
    name: 'Devices',
    path: '/devices',
    roles: { front_desk: 'reads', installer: 'writes' },
    icon: IconCpu,
    section: 'Doors & devices',
    component: load(() => import('./devices/screen.tsx')),
  },
  {
    name: 'Triggers',
    path: '/triggers',
    roles: { installer: 'writes' },
    icon: IconBolt,
    section: 'Doors & devices',
    component: load(() => import('./triggers/screen.tsx')),
  },
  {
    name: 'Tags',
    path: '/tags',
    icon: IconTag,
    section: 'Organization',
    component: load(() => import('./tags/screen.tsx')),
  },
  {
    name: 'Jobs',
    path: '/jobs',
    icon: IconListCheck,
    section: 'Organization',
    component: load(() => import('./jobs/screen.tsx')),
  },
  {
    name: 'Users',
    path: '/users',
    icon: IconUserCog,
    section: 'Organization',
    component: load(() => import('./users/screen.tsx')),
  },
  {
    name: 'Applications',
    path: '/applications',
    icon: IconPlugConnected,
    section: 'Organization',
    component: load(() => import('./applications/screen.tsx')),
  },
  {
    name: 'Developers',
    path: '/developers',
    icon: IconCode,
    section: 'Organization',
    component: load(() => import('./developers/screen.tsx')),
  },
  {
    name: 'Your notifications',
    path: '/notifications',
    icon: IconBellCog,
    section: 'Organization',
    component: load(() => import('./notifications/screen.tsx')),
  },
  {
    name: 'Privacy',
    path: '/privacy',
    icon: IconShieldLock,
    section: 'Organization',
    component: load(() => import('./privacy/screen.tsx')),
  },
  {
    name: 'Settings',
    path: '/settings',
    icon: IconAdjustments,
    section: 'Organization',
    component: load(() => import('./settings/screen.tsx')),
  },
]

/** The screens of a role, each with whether it may change something there. The first one is where it begins. */
export function screensOf(role: Role): readonly (Screen & { readonly may_write: boolean })[] {
  if (!isSiteRole(role)) return screens.map(screen => ({ ...screen, may_write: role !== 'viewer' }))
  const own = screens.flatMap(screen => {
    const what = screen.roles?.[role]
    return what ? [{ ...screen, may_write: what === 'writes' }] : []
  })
  const first = role === 'front_desk' ? '/members' : '/devices'
  return own.toSorted((a, b) => Number(b.path === first) - Number(a.path === first))
}
