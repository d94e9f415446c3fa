import { type Calendar, sourceWords } from './calendar.ts'
import { usePlaces } from './use-places.ts'

/** Says where the days of a calendar come from. The names of regions are loaded once there is a region. */
export function Source({ source }: Pick<Calendar, 'source'>) {
  const { country, region } = source ?? {}
  const { data: places } = usePlaces(Boolean(region))
  return sourceWords(source, country && region ? places?.[country]?.[region] : undefined)
}
