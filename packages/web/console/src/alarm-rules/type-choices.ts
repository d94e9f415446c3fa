import { alarmTypes, ruledTypeNames } from '@gatehouse-access/core'
import { alarmTitles } from '../alarms/alarm-words.ts'

const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Doors', ['gadget']],
  ['Devices', ['device']],
  ['People', ['member']],
  ['Emergencies', ['emergency']],
  ['Service', ['webhook', 'calendar']],
]

/** The types of alarms that a rule can name, by what they are about. */
export const typeChoices = groups.map(([group, kinds]) => ({
  group,
  items: ruledTypeNames
    .filter(type => kinds.includes(alarmTypes[type].of))
    .map(value => ({ value, label: alarmTitles[value] })),
}))
