import type { Location } from './model.ts'

/** Returns whether the phone would report its location without asking the user. */
export async function isLocationGranted(): Promise<boolean> {
  const status = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined)
  return status?.state === 'granted'
}

export function findLocation(): Promise<Location | undefined> {
  return new Promise(resolve => {
    if (!navigator.geolocation) return resolve(undefined)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      () => resolve(undefined),
      // Never a cached position: a guest who was too far away may have come closer since.
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: 0 },
    )
  })
}
