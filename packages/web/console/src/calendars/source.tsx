import { type Calendar, sourceWords } from './calendar.ts'
import { usePlaces } from './use-places.ts'

/** Says where the days of a calendar come from. The names of regions are loaded once there is a region. */
export function Source({ source }: Pick<Calendar, 'source'>) {
  const place = source?.type === 'country' ? source : undefined
  const { data: places } = usePlaces(Boolean(place?.region))
  const name = place?.country && place.region ? places?.[place.country]?.[place.region] : undefined
  return sourceWords(source, name)
}
