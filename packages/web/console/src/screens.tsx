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
import { say } from './language/say.ts'

export interface Screen {
  readonly name: string
  /** The screen handles every path below it: `/members/:id`. */
  readonly path: string
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly section: 'now' | 'people' | 'doors' | 'organization'
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
    name: say('screen.overview'),
    path: '/',
    icon: IconLayoutDashboard,
    section: 'now',
    is_main: true,
    component: load(() => import('./overview/screen.tsx')),
  },
  {
    name: say('screen.events'),
    path: '/events',
    icon: IconActivity,
    section: 'now',
    is_main: true,
    component: load(() => import('./events/screen.tsx')),
  },
  {
    name: say('screen.alarms'),
    path: '/alarms',
    icon: IconBell,
    section: 'now',
    component: load(() => import('./alarms/screen.tsx')),
  },
  {
    name: say('screen.emergencies'),
    path: '/emergencies',
    icon: IconUrgent,
    section: 'now',
    is_main: true,
    component: load(() => import('./emergencies/screen.tsx')),
  },
  {
    name: say('screen.members'),
    path: '/members',
    icon: IconUsers,
    section: 'people',
    is_main: true,
    component: load(() => import('./members/screen.tsx')),
  },
  {
    name: say('screen.groups'),
    path: '/groups',
    icon: IconShieldCheck,
    section: 'people',
    component: load(() => import('./groups/screen.tsx')),
  },
  {
    name: say('screen.schedules'),
    path: '/schedules',
    icon: IconCalendarTime,
    section: 'people',
    component: load(() => import('./schedules/screen.tsx')),
  },
  {
    name: say('screen.calendars'),
    path: '/calendars',
    icon: IconCalendarEvent,
    section: 'people',
    component: load(() => import('./calendars/screen.tsx')),
  },
  {
    name: say('screen.cards'),
    path: '/cards',
    icon: IconCreditCard,
    section: 'people',
    component: load(() => import('./cards/screen.tsx')),
  },
  {
    name: say('screen.sites'),
    path: '/sites',
    icon: IconBuilding,
    section: 'doors',
    component: load(() => import('./sites/screen.tsx')),
  },
  {
    name: say('screen.doors'),
    path: '/gadgets',
    icon: IconDoor,
    section: 'doors',
    is_main: true,
    component: load(() => import('./gadgets/screen.tsx')),
  },
  {
    name: say('screen.unlock_rules'),
    path: '/unlock-rules',
    icon: IconLockOpen,
    section: 'doors',
    component: load(() => import('./unlock-rules/screen.tsx')),
  },
  {
    name: say('screen.devices'),
    path: '/devices',
    icon: IconCpu,
    section: 'doors',
    component: load(() => import('./devices/screen.tsx')),
  },
  {
    name: say('screen.triggers'),
    path: '/triggers',
    icon: IconBolt,
    section: 'doors',
    component: load(() => import('./triggers/screen.tsx')),
  },
  {
    name: say('screen.tags'),
    path: '/tags',
    icon: IconTag,
    section: 'organization',
    component: load(() => import('./tags/screen.tsx')),
  },
  {
    name: say('screen.jobs'),
    path: '/jobs',
    icon: IconListCheck,
    section: 'organization',
    component: load(() => import('./jobs/screen.tsx')),
  },
  {
    name: say('screen.users'),
    path: '/users',
    icon: IconUserCog,
    section: 'organization',
    component: load(() => import('./users/screen.tsx')),
  },
  {
    name: say('screen.applications'),
    path: '/applications',
    icon: IconPlugConnected,
    section: 'organization',
    component: load(() => import('./applications/screen.tsx')),
  },
  {
    name: say('screen.developers'),
    path: '/developers',
    icon: IconCode,
    section: 'organization',
    component: load(() => import('./developers/screen.tsx')),
  },
  {
    name: say('screen.notifications'),
    path: '/notifications',
    icon: IconBellCog,
    section: 'organization',
    component: load(() => import('./notifications/screen.tsx')),
  },
  {
    name: say('screen.privacy'),
    path: '/privacy',
    icon: IconShieldLock,
    section: 'organization',
    component: load(() => import('./privacy/screen.tsx')),
  },
  {
    name: say('screen.settings'),
    path: '/settings',
    icon: IconAdjustments,
    section: 'organization',
    component: load(() => import('./settings/screen.tsx')),
  },
]
