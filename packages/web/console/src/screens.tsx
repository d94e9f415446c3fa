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

export interface Screen {
  readonly name: string
  /** The screen handles every path below it: `/members/:id`. */
  readonly path: string
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly section: 'Now' | 'People' | 'Doors & devices' | 'Organization'
  /** True when it appears in the bottom bar on a phone. */
  readonly is_main?: boolean
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
    icon: IconUrgent,
    section: 'Now',
    is_main: true,
    component: load(() => import('./emergencies/screen.tsx')),
  },
  {
    name: 'Members',
    path: '/members',
    icon: IconUsers,
    section: 'People',
    is_main: true,
    component: load(() => import('./members/screen.tsx')),
  },
  {
    name: 'Groups',
    path: '/groups',
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
    icon: IconCreditCard,
    section: 'People',
    component: load(() => import('./cards/screen.tsx')),
  },
  {
    name: 'Sites',
    path: '/sites',
    icon: IconBuilding,
    section: 'Doors & devices',
    component: load(() => import('./sites/screen.tsx')),
  },
  {
    name: 'Doors',
    path: '/gadgets',
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
    icon: IconCpu,
    section: 'Doors & devices',
    component: load(() => import('./devices/screen.tsx')),
  },
  {
    name: 'Triggers',
    path: '/triggers',
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
