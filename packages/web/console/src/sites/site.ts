import type { Calendar } from '../calendars/calendar.ts'
import type { ItemOf } from '../data/collections.ts'

export type Site = ItemOf<'sites'>
export type SiteWithCalendars = Site & { readonly calendars: readonly Calendar[] }
export type Fire = NonNullable<Site['fire']>
