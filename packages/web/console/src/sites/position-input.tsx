import { Button, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import type { Draft } from '../form/draft.ts'
import { IconCurrentLocation } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Place } from './place.tsx'

interface Values {
  readonly lat: number | string
  readonly lng: number | string
  readonly radius: number | string
}

const locationErrors: Readonly<Record<number, string>> = {
  1: t(
    'The browser does not have permission to use your location. Allow it in the page settings, or enter the position.',
  ),
  2: t('Could not find your location. Enter the position, or try again near a window.'),
  3: t('Finding your location took too long. Try again, or enter the position.'),
}

/**
 * Edits the position of the site and the radius within which a phone counts as near. Without a position, no
 * phone ever counts as near.
 */
export function PositionInput<V extends Values>({ draft }: { draft: Draft<V> }) {
  const [is_looking, setLooking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { lat, lng, radius } = draft.values
  const set = (name: keyof Values, value: number | string) => draft.set(name, value as V[keyof Values])
  const look = () => {
    setLooking(true)
    setProblem(undefined)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        set('lat', round(coords.latitude))
        set('lng', round(coords.longitude))
        setLooking(false)
      },
      ({ code }) => {
        setProblem(locationErrors[code] ?? t('Could not find your location.'))
        setLooking(false)
      },
      { enableHighAccuracy: true, timeout: 15_000 },
    )
  }
  return (
    <div>
      <div className="sites-geo">
        <NumberInput
          label="Latitude"
          min={-90}
          max={90}
          clampBehavior="none"
          decimalScale={6}
          hideControls
          value={lat}
          onChange={value => set('lat', value)}
          error={draft.errorOf('geo.location.lat')}
        />
        <NumberInput
          label="Longitude"
          min={-180}
          max={180}
          clampBehavior="none"
          decimalScale={6}
          hideControls
          value={lng}
          onChange={value => set('lng', value)}
          error={draft.errorOf('geo.location.lng')}
        />
        <NumberInput
          label="Radius (m)"
          min={0}
          max={20_037_508}
          clampBehavior="none"
          step={10}
          value={radius}
          onChange={value => set('radius', value)}
          error={draft.errorOf('geo.radius')}
        />
      </div>
      <div className="sites-look">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconCurrentLocation size={14} />}
          loading={is_looking}
          onClick={look}
        >
          Use my location
        </Button>
        <Text size="xs" c={problem ? 'red' : 'dimmed'} role={problem ? 'alert' : undefined}>
          {problem ?? 'Only needed if a rule requires the phone to be near.'}
        </Text>
      </div>
      {lat !== '' && lng !== '' && <Place radius={Number(radius)} lat={Number(lat)} lng={Number(lng)} />}
    </div>
  )
}

/** Six decimal places are about a tenth of a meter. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
