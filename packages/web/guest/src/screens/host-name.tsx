import { useState } from 'preact/hooks'
import type { Host } from '../model.ts'
import { ownPicture } from '../own-picture.ts'

/** Who lets the guest in: the logo, if there is one and it can be loaded, and the name. */
export function HostName({ host: { name, logo_url } }: { host: Host }) {
  const [failed, setFailed] = useState<string>()
  return (
    <p class="eyebrow host">
      {logo_url && failed !== logo_url && (
        <img class="logo" src={ownPicture(logo_url)} alt="" onError={() => setFailed(logo_url)} />
      )}
      <bdi>{name}</bdi>
    </p>
  )
}
