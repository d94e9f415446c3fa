import { ifStill } from '../data/if-still.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import type { Exception } from '../schedules/schedule.ts'
import { nightEnd, usualTimes, withNight } from '../schedules/with-exception.ts'
import { useApi } from '../session/use-api.ts'
import type { UsedSchedule } from './schedules-at.ts'
import type { SiteWithCalendars } from './site.ts'

type Undo = () => Promise<unknown>

/**
 * Makes some days different. Both return what undoes them. If one of several steps fails, those before it are
 * undone at once.
 */
export function useToday(site: SiteWithCalendars) {
  const { client } = useApi()
  const refresh = useRefresh()
  const finish = (undos: readonly Undo[]) => {
    refresh('calendars', 'sites', 'schedules', 'days')
    return async () => {
      for (const undo of undos.toReversed()) await undo()
      refresh('calendars', 'sites', 'schedules', 'days')
    }
  }
  const runAll = async (work: (undos: Undo[]) => Promise<void>): Promise<Undo> => {
    const undos: Undo[] = []
    try {
      await work(undos)
    } catch (error) {
      await finish(undos)()
      throw error
    }
    return finish(undos)
  }
  return {
    /** Adds a day of a kind to the calendar that only this site observes. */
    callDay: (day: { kind: string; starts_on: string; ends_on: string | null; name: string | null }) =>
      runAll(async undos => {
        const calendar_id = await ownCalendar(undos)
        const { id } = await client.calendar_days.create(calendar_id, day)
        undos.push(() => client.calendar_days.delete(calendar_id, id))
      }),
    /**
     * Gives the schedules other times, which may go on after midnight. Reads them first, because somebody may have changed
     * them meanwhile. What somebody changes between this and its undo is not overwritten: the undo then fails and says so.
     */
    setTimes: (schedules: readonly UsedSchedule[], exception: Exception, until: number) =>
      runAll(async undos => {
        const next = nightEnd(exception)
        const kinds = until === 0 ? [] : await kindsOn(next)
        for (const { id } of schedules) {
          const before = await client.schedules.get(id)
          const { exceptions } = before
          const usual = usualTimes(before, next, kinds)
          const changed = { exceptions: withNight(exceptions, exception, until, usual) }
          const after = await client.schedules.edit(id, changed, ifStill(before))
          undos.push(() => client.schedules.edit(id, { exceptions }, ifStill(after)))
        }
      }),
  }

  async function kindsOn(date: string): Promise<string[]> {
    const { data } = await client.sites.days(site.id, { from: date, to: date })
    return data.flatMap(({ kinds }) => kinds)
  }

  async function ownCalendar(undos: Undo[]): Promise<string> {
    const held = site.calendars.find(
      ({ is_deleted, source, metadata }) => !is_deleted && !source && metadata.site_id === site.id,
    )
    if (held) return held.id
    const { id } = await client.calendars.create({
      name: t(`Special days at ${site.name}`).slice(0, 255),
      metadata: { site_id: site.id },
    })
    undos.push(() => client.calendars.delete(id))
    await client.sites.edit(site.id, { calendar_ids: [...site.calendar_ids, id] })
    undos.push(async () => {
      const now = await client.sites.get(site.id)
      const calendar_ids = now.calendar_ids.filter(other => other !== id)
      await client.sites.edit(site.id, { calendar_ids }, ifStill(now))
    })
    return id
  }
}
