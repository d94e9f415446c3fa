import { Radio, Stack, Switch } from '@mantine/core'
import type { Draft } from '../form/draft.ts'
import { PickMany } from '../form/pick.tsx'
import { SecondsSelect } from '../form/seconds-select.tsx'
import type { RuleValues } from './rule-values.ts'
import { beforeWords } from './unlock-rule.ts'

const [minute, hour] = [60, 3600]

/** Whether the doors wait for somebody, for whom, and what they are until then. */
export function FirstPersonFields({ draft }: { draft: Draft<RuleValues> }) {
  const { values, set, errorOf } = draft
  return (
    <>
      <Switch
        label="Wait for the first person"
        description="On a snow day, when nobody comes, the doors stay locked."
        checked={values.has_first_person}
        onChange={event => set('has_first_person', event.currentTarget.checked)}
      />
      {values.has_first_person && (
        <>
          <PickMany
            plural="member_groups"
            label="Somebody of these groups"
            description="Who opens one of the doors by PIN, card or phone at the reader."
            required
            value={values.member_group_ids}
            onChange={ids => set('member_group_ids', ids)}
            error={errorOf('first_person.member_group_ids')}
          />
          <SecondsSelect
            label="May come before the start by"
            description="The doors still unlock at the start."
            options={[0, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour]}
            value={values.early_seconds}
            onChange={seconds => set('early_seconds', seconds ?? 0)}
            error={errorOf('first_person.early_seconds')}
          />
          <Radio.Group
            label="Until then, the doors are"
            value={values.before}
            onChange={before => set('before', before as RuleValues['before'])}
          >
            <Stack gap={8} mt={6}>
              {Object.entries(beforeWords).map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      )}
    </>
  )
}
