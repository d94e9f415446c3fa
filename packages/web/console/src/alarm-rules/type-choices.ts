import { alarmTypes, ruledTypeNames } from '@gatehouse-access/core'
import { alarmTitles } from '../alarms/alarm-words.ts'
import { t } from '../language/t.ts'

const groups: readonly (readonly [string, readonly string[]])[] = [
  [t('Doors'), ['gadget']],
  [t('Devices'), ['device']],
  [t('People'), ['member']],
  [t('Emergencies'), ['emergency']],
  [t('Service'), ['webhook', 'calendar']],
]

/** The types of alarms that a rule can name, by what they are about. */
export const typeChoices = groups.map(([group, kinds]) => ({
  group,
  items: ruledTypeNames
    .filter(type => kinds.includes(alarmTypes[type].of))
    .map(value => ({ value, label: alarmTitles[value] })),
}))
