import { Radio, Stack } from '@mantine/core'
import { t } from '../language/t.ts'

type Template = readonly [value: string, label: string, description: string]

/** The templates that the service can fill a new organization with. Everything in them is virtual. */
const templates: readonly Template[] = [
  ['hotel', t('Hotel'), t('Two buildings with rooms, guests and staff, all virtual, for trying things out.')],
  ['office', t('Office'), t('A building with meeting rooms and employees, all virtual.')],
  ['gym', t('Gym'), t('A gym with one door and its members, all virtual.')],
]
const empty: Template = ['', t('Empty'), t('Add sites, devices and people yourself.')]

interface Props {
  label: string
  value: string
  onChange(value: string): void
  may_be_empty?: boolean
}

export function TemplatePick({ label, value, onChange, may_be_empty = false }: Props) {
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {[...(may_be_empty ? [empty] : []), ...templates].map(([name, title, description]) => (
          <Radio key={name} value={name} label={title} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
