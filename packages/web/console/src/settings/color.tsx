import { type BrandColors, brandColors } from '@gatehouse-access/core'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'

/** The color of the page's own buttons, where choosing begins. */
const pageColor = '#3551c9'

/** The color of the guest page, with how its buttons look in light and dark mode. */
export function OrganizationColor({ color }: { color: string | null }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const store = async (chosen: string | null) => {
    await client.organization.edit({ color: chosen })
    refresh('organizations')
  }
  const draft = useDraft({ color: color ?? '' }, values => store(values.color || null))
  const { values, set } = draft
  const is_color = /^#[0-9a-f]{6}$/i.test(values.color)
  const shown = is_color ? brandColors(values.color) : undefined
  return (
    <form onSubmit={draft.submit}>
      <Group gap="sm" mb="md" align="flex-end" wrap="wrap">
        <TextInput
          label="Color"
          description="Of the buttons on the guest page. Made darker or lighter where it would be hard to read."
          placeholder={pageColor}
          maxLength={7}
          value={values.color}
          error={draft.errorOf('color')}
          onChange={event => set('color', event.currentTarget.value.trim())}
          rightSection={
            <input
              type="color"
              className="swatch"
              aria-label="Pick a color"
              value={is_color ? values.color.toLowerCase() : pageColor}
              onChange={event => set('color', event.currentTarget.value)}
            />
          }
        />
        {shown && <Sample colors={shown.light} paper="#f7f8f9" mode={t('Light')} />}
        {shown && <Sample colors={shown.dark} paper="#111317" mode={t('Dark')} />}
        <Button type="submit" variant="default" disabled={!draft.is_dirty} loading={draft.is_saving}>
          Use this color
        </Button>
      </Group>
    </form>
  )
}

function Sample({ colors, paper, mode }: { colors: BrandColors; paper: string; mode: string }) {
  return (
    <Text
      component="span"
      size="sm"
      p={8}
      bdrs="md"
      style={{ background: paper }}
      role="img"
      aria-label={`${mode} mode: ${colors.accent}`}
    >
      <span className="sample" style={{ background: colors.accent, color: colors.ink }} aria-hidden>
        {mode}
      </span>
    </Text>
  )
}
