import { messageOf } from '@gatehouse-access/core'
import { openZones, systemClock, usedZones } from '@gatehouse-access/server'
import { failure, ofDatabase, warning, well } from '../check.ts'

/** How many names a message lists. */
const most = 5

export const timeZones = ofDatabase('time_zones', async (db, { config }) => {
  try {
    const zones = openZones(config, systemClock)
    const used = (await usedZones(db)).filter(({ sites }) => sites > 0)
    const unknown = used.filter(({ timezone }) => !zones.isKnown(timezone))
    if (unknown.length === 0)
      return well(`Release ${zones.release} knows the time zones of all sites, ${used.length} in all.`)
    const names = unknown.slice(0, most).map(({ timezone, sites }) => `${timezone} (sites: ${sites})`)
    return warning(
      `Release ${zones.release} does not know time zones of sites: ${names.join(', ')}${unknown.length > most ? ' and more' : ''}.`,
      'Choose another time zone for these sites. Until then the last table known goes on.',
    )
  } catch (error) {
    return failure(messageOf(error), 'Correct GATEHOUSE_TZDATA: the service does not start with it.')
  }
})
