import { type Command, CommandError, jsonOption, organizationOption, UsageError } from '../command.ts'
import { findSite, openClient, urlOption } from '../open-client.ts'

const mostObserved = 10

export const calendarsImport: Command = {
  name: 'calendars import',
  parameters: ['PLACE'],
  about: 'Makes a calendar of the public holidays of a place.',
  details: [
    'PLACE is a country or a region of the built-in tables: ES, ES-MD, DE-BY. If a calendar of that name exists, its days are',
    'brought up to date. With --site, the site observes the calendar.',
  ].join('\n'),
  options: {
    years: { type: 'string', value: 'YEARS', about: 'The years, separated by commas. Required.' },
    site: { type: 'string', value: 'SITE', about: 'Name or ID of a site that observes the calendar.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [place = ''] = input.parameters
    const { country, region } = readPlace(place)
    const years = readYears(input.text('years'))
    const client = await openClient(input)
    const wanted = input.text('site')
    const site = wanted === undefined ? undefined : await findSite(client, wanted)
    const name = `Holidays ${place.toUpperCase()}`
    const { data } = await client.calendars.list({ q: name, limit: 100 })
    const known = data.find(calendar => calendar.name === name)
    // Before anything is created.
    if (site && !(known && site.calendar_ids.includes(known.id)) && site.calendar_ids.length >= mostObserved)
      throw new CommandError(`${site.name} observes ${mostObserved} calendars already: take one off first.`)
    const calendar = known ?? (await client.calendars.create({ name }))
    const body = { country, ...(region && { region }), years }
    const made = await client.calendar_days.import(calendar.id, body).catch(async error => {
      if (!known) await client.calendars.delete(calendar.id)
      throw new CommandError(`The holidays could not be imported: ${error.message}.`, { cause: error })
    })
    if (site && !site.calendar_ids.includes(calendar.id))
      await client.sites.edit(site.id, { calendar_ids: [...site.calendar_ids, calendar.id] })
    const counts = [made.create, made.update, made.delete].map(days => days.length)
    input.print(
      input.flag('json')
        ? JSON.stringify({ calendar_id: calendar.id, ...made })
        : `${name} (${calendar.id}): ${counts[0]} days new, ${counts[1]} changed, ${counts[2]} deleted${site ? `; observed by ${site.name}` : ''}.`,
    )
  },
}

function readPlace(place: string): { country: string; region: string | undefined } {
  const [country = '', ...rest] = place.split('-')
  if (!/^[A-Za-z]{2}$/.test(country)) throw new UsageError(`PLACE must be like ES or ES-MD, not ${place}.`)
  return { country, region: rest.join('-') || undefined }
}

function readYears(text: string | undefined): number[] {
  const years = text?.split(',').map(Number) ?? []
  if (years.length === 0 || !years.every(Number.isInteger))
    throw new UsageError('--years must name years, like 2027,2028.')
  return years
}
