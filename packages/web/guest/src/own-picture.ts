/**
 * Logos and pictures come from this service. The phone may reach it by another address than the service knows of
 * itself, and takes them from there.
 */
export function ownPicture(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}
