import { accessMethods, doorModes, type Mode } from '@gatehouse-access/core'
import { list, nullable, required, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, text } from '../kit/scalars.ts'

/** In the notation of opening hours. At most 200 characters and the mark of what was cut. */
const hours = text(201)
const id = text(64)
const modes = Object.keys(doorModes) as Mode[]

const day = shape({
  source: required(choice('special_day', 'exception'), 'What the times of the day came from.'),
  kind: nullable(text(64), 'Kind of the special day.'),
  times: required(hours, 'The times on that day, such as `10:00-14:00`. `off`: closed.'),
})

const rule = shape({
  member_group_id: required(id, 'The group of the rule.'),
  rule_index: required(integer(0, 10_000), 'Its index in `permissions` then.'),
  is_inherited: nullable(flag, 'True if reached through a rule that inherits this group.'),
  site_id: nullable(id, 'The site it was limited to.'),
  gadget_id: nullable(id, 'The gadget it was limited to.'),
  tag_id: nullable(id, 'The tag it was limited to.'),
  action_id: nullable(localId, 'The action it was limited to.'),
  presence: nullable(choice('gps'), 'Set if the phone had to be near the site.'),
  access_methods: nullable(
    list(choice(...accessMethods), { max: accessMethods.length }),
    'The methods that it allowed. Absent if it allowed all.',
  ),
  inherited_group_id: nullable(id, 'The group that it inherited from.'),
  schedule_id: nullable(id, 'Its schedule. Absent if it allowed all times.'),
  times: nullable(
    hours,
    'The weekly times of the schedule then, in the notation of opening hours: `Mo-Fr 08:00-18:00`. `off`: never. Cut after 200 characters, marked by `…`. Absent if the schedule was deleted.',
  ),
  day: nullable(day, 'The times of that day, if they were not those of its weekday.'),
})

/** What decided an attempt, as it was then. Events keep it. */
export const decidedBy = shape({
  timezone: required(text(64), 'Time zone of the site.'),
  utc_offset: required(integer(-172_800, 172_800), 'Seconds that local time at the site was ahead of UTC.'),
  rules: nullable(
    list(rule, { max: 5 }),
    'The rules that came furthest, at most 5; of a use, those that allowed it. Absent if a controller decided that did not tell them.',
  ),
  mode: nullable(choice(...modes), 'The mode of the door, if it was not `controlled`.'),
})
