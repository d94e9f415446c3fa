import { useState } from 'react'
import type { Draft } from '../form/draft.ts'
import { PickMany } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import type { RuleValues } from './rule-values.ts'

const kinds = [
  ['site_ids', 'sites', t('Sites'), t('Everywhere')],
  ['gadget_ids', 'gadgets', t('Doors'), t('Any')],
  ['device_ids', 'devices', t('Devices'), t('Any')],
  ['tag_ids', 'tags', t('Tags'), t('Any')],
] as const

/** Where the rule counts. Most rules name sites or nothing, so that the rest is shown on request. */
export function PlaceFields({ draft: { values, set, errorOf } }: { draft: Draft<RuleValues> }) {
  const [is_open, setOpen] = useState(kinds.slice(1).some(([name]) => values[name].length > 0))
  const shown = is_open ? kinds : kinds.slice(0, 1)
  return (
    <>
      {shown.map(([name, plural, label, placeholder]) => (
        <PickMany
          key={name}
          plural={plural}
          label={label}
          placeholder={values[name].length === 0 ? placeholder : ''}
          value={values[name]}
          onChange={ids => set(name, ids)}
          error={errorOf(`targets.${name}`)}
        />
      ))}
      {!is_open && (
        <button type="button" className="rule-open" onClick={() => setOpen(true)}>
          Only certain doors, devices or tags
        </button>
      )}
    </>
  )
}
