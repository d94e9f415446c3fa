import { noPrivacy, periodNames } from '@gatehouse-access/api'
import { Button, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { useApi } from '../session/use-api.ts'
import { Preview } from './preview.tsx'
import { type Privacy, periodWords, presets } from './privacy-words.ts'

/** The periods, with what they would remove. */
export function PeriodsForm({ privacy, is_owner }: { privacy: Privacy; is_owner: boolean }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft({ ...noPrivacy, ...privacy }, async values => {
    await client.organization.edit({ privacy: values })
    refresh('organizations')
  })
  const choose = (name: string | null) => {
    const [, periods] = presets.find(([held]) => held === name) ?? []
    if (periods) for (const period of periodNames) draft.set(period, periods[period] as never)
  }
  return (
    <form onSubmit={draft.submit}>
      <Stack gap="md">
        {is_owner && (
          <Select
            label="Use a preset"
            description="Fills in the periods below. Nothing changes before you save."
            placeholder="Choose a country or a kind of house"
            data={presets.map(([name]) => name)}
            value={null}
            onChange={choose}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {periodNames.map(name => (
            <NumberInput
              key={name}
              label={periodWords[name][0]}
              description={periodWords[name][1]}
              placeholder="For ever"
              suffix=" days"
              min={1}
              max={3650}
              allowDecimal={false}
              readOnly={!is_owner}
              value={draft.values[name] ?? ''}
              error={draft.errorOf(`privacy.${name}`)}
              onChange={value => draft.set(name, (typeof value === 'number' ? value : null) as never)}
            />
          ))}
        </SimpleGrid>
        <Checkbox
          label="Members may fetch their own data on the guest page"
          description="Once a day. An email says when it is ready."
          disabled={!is_owner}
          checked={draft.values.member_export ?? false}
          onChange={event => draft.set('member_export', event.currentTarget.checked)}
        />
        <Preview privacy={draft.values} />
        {is_owner && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!draft.is_dirty} loading={draft.is_saving}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
