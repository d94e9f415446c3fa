import type { Location, SiteGeo } from './policy-rows.ts'

const earthRadius = 6_371_008.8
const radian = Math.PI / 180

/** Whether the location is within the site's radius. False without a location or without geo. */
export function isWithin(geo: SiteGeo | null, location: Location | null): boolean {
  return location !== null && canConfirm(geo) && greatCircleDistance(geo.location, location) <= geo.radius
}

/** Whether the site has the location and radius that are needed to confirm presence. */
export function canConfirm(geo: SiteGeo | null): geo is { location: Location; radius: number } {
  return Boolean(geo?.location) && typeof geo?.radius === 'number'
}

/** Returns meters, by the haversine formula on the mean radius of the earth. */
export function greatCircleDistance(a: Location, b: Location): number {
  const across = Math.sin(((b.lat - a.lat) * radian) / 2) ** 2
  const along = Math.sin(((b.lng - a.lng) * radian) / 2) ** 2
  const half = across + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * along
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, half)))
}
